/** The document that every page begins as, rendered by the build: once for each language. */
import { type Language, STRINGS } from './strings.js'

/** Where the build put things. */
export interface ShellAssets {
  script: string
  style: string
  theme: string
  font: string
  icon: string
}

export function shell(lang: Language, { script, style, theme, font, icon }: ShellAssets): string {
  const words = STRINGS[lang]
  const preload =
    lang === 'ar' ? `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>` : ''
  return `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title>
<script src="${theme}"></script>
${preload}
<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}" type="image/svg+xml">
<script type="module" src="${script}"></script>
<body>
<form action="/"><input name="q" aria-label="${words.search}"></form>
<main></main>
`
}
