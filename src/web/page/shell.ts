/** The document that every page begins as, rendered by the build: once for each language. What it holds is painted before any script. */
import { type Language, strings } from './strings.js'

/** Where the build put things. */
export interface ShellAssets {
  script: string
  style: string
  theme: string
  font: string
  icon: string
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const svg = (kind: string, path: string) =>
  `<svg class="icon icon-${kind}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`

const MAGNIFIER = svg('search', 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20')
const CROSS = svg('close', 'M6 6l12 12M18 6L6 18')
const HALF_MOON = svg('theme', 'M12 4a8 8 0 0 1 0 16').replace('<path', '<path class="filled" d="M12 4a8 8 0 1 0 0 16z"/><path')

/** Its links lead somewhere without script, too; with it they are taken over. */
export function shell(lang: Language, { script, style, theme, font, icon }: ShellAssets): string {
  const t = strings[lang]
  const e = (text: string) => escaped(text)
  const other = lang === 'ar' ? 'en' : 'ar'
  const links = [
    ['/', t.navSearch, 'search'],
    ['/browse', t.navBrowse, 'browse'],
    ['/check', t.navCheck, 'check'],
    ['/docs', t.navDocs, 'docs'],
  ].map(([href, text, page]) => `<a href="${href}" data-nav="${page}">${e(text as string)}</a>`)
  const examples = t.examples.map(q => `<a class="chip" href="/?q=${encodeURIComponent(q)}"><bdi>${e(q)}</bdi></a>`)
  return `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${e(t.title)}</title>
<meta name="description" content="${e(t.description)}">
<meta name="color-scheme" content="light dark">
<script src="${theme}"></script>
<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}" type="image/svg+xml">
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#main">${e(t.skip)}</a>
<header>
<div class="top"><div class="bar">
<a class="brand" href="/" data-nav-home><img src="${icon}" alt="" width="28" height="28"><span>${e(t.brand)}</span></a>
<nav aria-label="${e(t.navLabel)}">${links.join('')}</nav>
<div class="switches">
<button type="button" id="forget" class="quiet" hidden>${e(t.forgetKey)}</button>
<a id="language" class="quiet" href="/?lang=${other}" lang="${other}" hreflang="${other}">${e(t.other)}</a>
<button type="button" id="theme" class="quiet square" aria-label="${e(t.themeDark)}">${HALF_MOON}</button>
</div>
</div></div>
<div class="lead">
<h1 class="start-only">${e(t.tagline)}</h1>
<p class="start-only">${e(t.lead)}</p>
<form class="search" role="search" action="/" autocomplete="off">
<label class="unseen" for="q">${e(t.searchLabel)}</label>
${MAGNIFIER}
<input id="q" name="q" type="text" dir="auto" maxlength="200" enterkeyhint="search" autocapitalize="off" spellcheck="false" placeholder="${e(t.searchHint)}" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="suggestions">
<button type="button" id="clear" class="square" aria-label="${e(t.clear)}" hidden>${CROSS}</button>
<kbd aria-hidden="true">/</kbd>
<ul id="suggestions" role="listbox" aria-label="${e(t.suggestions)}" hidden></ul>
</form>
<p class="examples start-only"><span>${e(t.examplesLabel)}</span>${examples.join('')}</p>
</div>
</header>
<main id="main" tabindex="-1"><noscript><p class="notice">${e(t.noScript)} <a href="/openapi.json">/openapi.json</a></p></noscript></main>
<footer>${e(t.footer)}</footer>
<div id="announcer" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
`
}
