/**
 * The frame of all documents: head, navigation, switches, footer. The build renders it, so that it is painted before the main
 * script runs.
 */

import { type Language, shellStrings, strings } from '../text/strings.js'
import { directionOf } from '../text/written.js'
import { THEME_COLOURS } from './app-manifest.js'

/** Addresses of built files. */
export interface FrameAssets {
  script: string
  /** Files that the script imports statically. */
  parts?: readonly string[]
  styles: readonly string[]
  theme: string
  font: string
  icon: string
  /** Files that let visitors install the pages as an app. */
  app: { manifest: Readonly<Record<Language, string>>; touchIcon: string }
}

interface Frame {
  lang: Language
  title: string
  description: string
  assets: FrameAssets
  /** Path of the link to the other language, without `lang`. */
  path: string
  /** The navigation link to mark as current. */
  current?: 'docs'
  /** HTML of more buttons next to the switches. */
  buttons?: string
  /** HTML below the bar. */
  lead: string
  /** HTML between header and footer. */
  content: string
}

/** Page of the World Customs Organization. */
const OFFICIAL_TEXT = 'https://www.wcotradetools.org/en/harmonized-system'

const SPECIAL = /[&<>"]/
/** Checks first whether a text needs escaping: most do not, and the server escapes thousands per page. */
export const escaped = (text: string) =>
  SPECIAL.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    : text

export const svg = (kind: string, path: string) =>
  `<svg class="icon icon-${kind}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`

export const MAGNIFIER = svg('search', 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20')
/** Shortcuts to the search box. On a Mac, find-keys.ts replaces the second shortcut. */
export const KEYS_HINT =
  '<span class="keys" aria-hidden="true"><kbd dir="ltr">/</kbd><kbd dir="ltr" data-keys>Ctrl K</kbd></span>'
export const HALF_MOON = svg('theme', 'M12 4a8 8 0 0 1 0 16').replace(
  '<path',
  '<path class="filled" d="M12 4a8 8 0 1 0 0 16z"/><path',
)

/** The theme script comes first, so that it runs before anything is painted. The font has Arabic letters only. */
export const lookLinks = (
  lang: Language,
  assets: Pick<FrameAssets, 'theme' | 'font' | 'styles' | 'icon'>,
) => `<script src="${assets.theme}"></script>
${lang === 'ar' ? `<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>` : ''}
${assets.styles.map(style => `<link rel="stylesheet" href="${style}">`).join('\n')}
<link rel="icon" href="${assets.icon}" type="image/svg+xml">`

export function frame({ lang, title, description, assets, path, current, buttons = '', lead, content }: Frame): string {
  const t = shellStrings[lang]
  const { brand, themeDark } = strings[lang]
  const e = escaped
  const other = lang === 'ar' ? 'en' : 'ar'
  const links = [
    ['/', t.navSearch, 'search'],
    ['/browse', t.navBrowse, 'browse'],
    ['/shipment', t.navShipment, 'shipment'],
    ['/docs', t.navDocs, 'docs'],
  ].map(
    ([href, text, page]) =>
      `<a href="${href}" data-nav="${page}"${page === current ? ' aria-current="page"' : ''}>${e(text as string)}</a>`,
  )
  return `<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${e(title)}</title>
<meta name="description" content="${e(description)}">
<meta name="color-scheme" content="light dark">
${lookLinks(lang, assets)}
<link rel="apple-touch-icon" href="${assets.app.touchIcon}">
<link rel="manifest" href="${assets.app.manifest[lang]}">
<meta name="theme-color" content="${THEME_COLOURS.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${THEME_COLOURS.dark}" media="(prefers-color-scheme: dark)">
${(assets.parts ?? []).map(part => `<link rel="modulepreload" href="${part}">`).join('\n')}
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">${e(t.skip)}</a>
<header>
<div class="top"><div class="bar">
<a class="brand" href="/" data-nav-home><img src="${assets.icon}" alt="" width="28" height="28"><span>${e(brand)}</span></a>
<nav aria-label="${e(t.navLabel)}">${links.join('')}</nav>
<div class="switches">
${buttons}<a id="language" class="quiet" href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${e(t.other)}</a>
<button type="button" id="theme" class="quiet square" aria-label="${e(themeDark)}">${HALF_MOON}</button>
</div>
</div></div>
<div class="lead">
${lead}
</div>
</header>
${content}
<footer>
<p>${e(t.footer)} <a href="/docs/api">${e(t.footerApi)}</a></p>
<p>${e(t.footerWording)} <a href="${OFFICIAL_TEXT}">${e(t.footerOfficial)}</a> <span id="dataset"></span></p>
</footer>
<div id="announcer" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
`
}
