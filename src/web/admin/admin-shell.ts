/**
 * The document of the admin port's page, rendered by the build. It has no links, because the other pages are on another port.
 */

import { escaped as e, type FrameAssets, HALF_MOON, lookLinks } from '../app/shell/frame.js'
import type { Language } from '../app/text/strings.js'
import { directionOf } from '../app/text/written.js'
import { adminShellStrings, adminStrings } from './strings.js'

export type AdminAssets = Pick<FrameAssets, 'script' | 'styles' | 'theme' | 'font' | 'icon'>

export function adminShell(lang: Language, assets: AdminAssets): string {
  const t = adminShellStrings[lang]
  const other = lang === 'ar' ? 'en' : 'ar'
  return `<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${e(t.title)} · ${e(t.brand)}</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${lookLinks(lang, assets)}
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#main">${e(t.skip)}</a>
<header>
<div class="top"><div class="bar">
<a class="brand" href="/"><img src="${assets.icon}" alt="" width="28" height="28"><span>${e(t.brand)}</span></a>
<div class="switches">
<button type="button" id="forget" class="quiet" hidden>${e(t.forgetToken)}</button>
<a id="language" class="quiet" href="/?lang=${other}" lang="${other}" hreflang="${other}">${e(t.other)}</a>
<button type="button" id="theme" class="quiet square" aria-label="${e(adminStrings[lang].themeDark)}">${HALF_MOON}</button>
</div>
</div></div>
</header>
<main id="main" tabindex="-1"><div class="page-head"><h1>${e(t.title)}</h1></div><div id="content"><noscript><p class="notice">${e(t.noScript)}</p></noscript></div></main>
<div id="announcer" class="unseen" role="status" aria-live="polite"></div>
</body>
</html>
`
}
