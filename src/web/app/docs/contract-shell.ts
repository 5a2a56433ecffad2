/** The HTML of /docs/api, the OpenAPI viewer, rendered by the build. */
export interface ContractAssets {
  viewer: string
  viewerStyle: string
  script: string
  style: string
  theme: string
  icon: string
  licences: string
}

export function contractShell(assets: ContractAssets): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of hsapi</title>
<meta name="color-scheme" content="light dark">
<script src="${assets.theme}"></script>
<link rel="stylesheet" href="${assets.viewerStyle}">
<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script src="${assets.viewer}" defer></script>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<header class="bar">
<a class="brand" href="/"><img src="${assets.icon}" alt="" width="28" height="28">hsapi</a>
<a href="/">Search</a>
<a href="/browse">Browse</a>
<a href="/shipment">Shipment</a>
<a href="/docs">Docs</a>
<a href="/openapi.json">openapi.json</a>
<a href="${assets.licences}">Licences</a>
</header>
<div id="viewer"><noscript>The viewer needs JavaScript; the contract itself is at <a href="/openapi.json">/openapi.json</a>.</noscript></div>
</body>
</html>
`
}
