/** The document of the contract's viewer, rendered by the build. */
export interface DocsAssets {
  viewer: string
  viewerStyle: string
  script: string
  style: string
  theme: string
  icon: string
}

export function docsShell({ viewer, viewerStyle, script, style, theme, icon }: DocsAssets): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hsapi: the API</title>
<script src="${theme}"></script>
<link rel="stylesheet" href="${viewerStyle}">
<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}" type="image/svg+xml">
<script src="${viewer}" defer></script>
<script type="module" src="${script}"></script>
<body>
<header><a href="/">hsapi</a></header>
<main id="viewer"></main>
`
}
