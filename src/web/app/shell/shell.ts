/** The explorer's document, which the build renders for each language. */

import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { type Language, shellStrings, strings } from '../text/strings.js'
import { fillText } from '../text/written.js'
import { SearchField } from '../ui/search-field.js'
import { CountryPicker } from './country-picker.js'
import { escaped as e, type FrameAssets, frame } from './frame.js'

/** The links also work without JavaScript; with JavaScript, main.ts handles them. */
export function shell(lang: Language, assets: FrameAssets): string {
  const t = shellStrings[lang]
  const examples = t.examples.map(q => `<a class="chip" href="/?q=${encodeURIComponent(q)}"><bdi>${e(q)}</bdi></a>`)
  const picker = renderToString(h(CountryPicker, { label: t.countryLabel, countries: strings[lang].countries }))
  const noScript = fillText(e(t.noScript), {
    browse: `<a href="/browse">${e(t.noScriptBrowse)}</a>`,
    api: `<a href="/docs/api">${e(t.noScriptApi)}</a>`,
  })
  const lead = `<h1 class="start-only">${e(t.tagline)}</h1>
<p class="start-only">${e(t.lead)}</p>
<div id="search-box">${renderToString(h(SearchField, { t: strings[lang], lang }))}</div>
<p class="examples start-only"><span>${e(t.examplesLabel)}</span>${examples.join('')}</p>`
  return frame({
    lang,
    title: strings[lang].title,
    description: t.description,
    assets,
    path: '/',
    buttons: `<label class="country">${picker}</label>
<button type="button" id="forget" class="quiet" hidden>${e(t.forgetKey)}</button>\n`,
    lead,
    content: `<main id="main" tabindex="-1"><noscript><p class="notice">${noScript}</p></noscript></main>`,
  })
}
