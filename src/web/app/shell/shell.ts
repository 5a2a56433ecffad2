/** The document of search, records, tree and check, rendered by the build: once for each language. */

import { type Language, shellStrings, strings } from '../text/strings.js'
import { escaped as e, type FrameAssets, frame, KEYS_HINT, MAGNIFIER, svg } from './frame.js'

const CROSS = svg('close', 'M6 6l12 12M18 6L6 18')

/** Its links lead somewhere without script, too; with it they are taken over. */
export function shell(lang: Language, assets: FrameAssets): string {
  const t = shellStrings[lang]
  const examples = t.examples.map(q => `<a class="chip" href="/?q=${encodeURIComponent(q)}"><bdi>${e(q)}</bdi></a>`)
  const countries = Object.entries(strings[lang].countries).map(([code, name]) => `<option value="${code}">${e(name)}</option>`)
  const lead = `<h1 class="start-only">${e(t.tagline)}</h1>
<p class="start-only">${e(t.lead)}</p>
<form class="search" role="search" action="/" autocomplete="off">
<label class="unseen" for="q">${e(t.searchLabel)}</label>
${MAGNIFIER}
<input id="q" name="q" type="text" dir="auto" maxlength="200" enterkeyhint="search" autocapitalize="off" spellcheck="false" placeholder="${e(t.searchHint)}" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="suggestions" aria-keyshortcuts="/ Control+K Meta+K">
<button type="button" id="clear" class="square" aria-label="${e(t.clear)}" hidden>${CROSS}</button>
${KEYS_HINT}
</form>
<ul id="suggestions" role="listbox" aria-orientation="horizontal" aria-label="${e(t.suggestions)}" hidden></ul>
<p class="examples start-only"><span>${e(t.examplesLabel)}</span>${examples.join('')}</p>`
  return frame({
    lang,
    title: strings[lang].title,
    description: t.description,
    assets,
    path: '/',
    buttons: `<label class="country"><span>${e(t.countryLabel)}</span><select id="country" autocomplete="off">${countries.join('')}</select></label>
<button type="button" id="forget" class="quiet" hidden>${e(t.forgetKey)}</button>\n`,
    lead,
    content: `<main id="main" tabindex="-1"><noscript><p class="notice">${e(t.noScript)} <a href="/openapi.json">/openapi.json</a></p></noscript></main>
<aside id="request" class="request" aria-label="${e(t.asRequest)}" hidden><details><summary>${e(t.asRequest)}</summary></details></aside>`,
  })
}
