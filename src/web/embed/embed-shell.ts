/** The example page of the embedded search box, rendered by the build. */

import { escaped as e, type FrameAssets, frame } from '../app/shell/frame.js'
import { type Language, strings } from '../app/text/strings.js'
import { embedStrings } from './embed-strings.js'

export const EMBED_ADDRESS = '/embed'
export const EMBED_SCRIPT = '/embed/hsapi-search.js'
/** In the browser, embed-page.ts replaces this with the server's own address. */
const EXAMPLE_ORIGIN = 'https://hs.example.com'

const sourceIn = (lang: Language, label: string) => `<script src="${EXAMPLE_ORIGIN}${EMBED_SCRIPT}" defer></script>

<label for="goods">${label}</label>
<hsapi-search id="goods" name="hs_code" key="YOUR_KEY"
              server="${EXAMPLE_ORIGIN}" lang="${lang}"></hsapi-search>`

export function embedShell(lang: Language, assets: FrameAssets): string {
  const t = embedStrings[lang]
  return frame({
    lang,
    title: `${t.title} · ${strings[lang].brand}`,
    description: t.description,
    assets,
    path: EMBED_ADDRESS,
    lead: '',
    content: `<main id="main" tabindex="-1" class="embed">
<div class="page-head"><h1>${e(t.title)}</h1><p class="hint">${e(t.text)}</p></div>
<p id="needs-key" class="warning" hidden>${e(t.needsKey)} <a href="/">${e(t.toKey)}</a></p>
<form id="example" class="sheet">
<label for="goods">${e(t.label)}</label>
<hsapi-search id="goods" name="hs_code" required></hsapi-search>
<button class="button button-strong">${e(t.send)}</button>
</form>
<h2>${e(t.sent)}</h2>
<div class="sample" dir="ltr"><pre id="sent"><code>–</code></pre></div>
<h2>${e(t.event)}</h2>
<div class="sample" dir="ltr"><pre id="event"><code>–</code></pre></div>
<h2>${e(t.source)}</h2>
<p class="hint">${e(t.sourceText)}</p>
<div class="sample" dir="ltr"><pre id="source"><code>${e(sourceIn(lang, t.label))}</code></pre></div>
<p><a href="/docs/embed">${e(t.more)}</a></p>
</main>
<script src="${EMBED_SCRIPT}" defer></script>`,
  })
}
