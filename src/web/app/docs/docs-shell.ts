/** The HTML of a documentation page, rendered by the build. It can be read without JavaScript. */
import { escaped as e, type FrameAssets, frame, KEYS_HINT, MAGNIFIER } from '../shell/frame.js'
import { docsStrings, type Language, strings } from '../text/strings.js'
import { directionOf } from '../text/written.js'

export const CONTRACT_ADDRESS = '/docs/api'
export const INDEX_ADDRESS = '/docs'

export type GroupName = keyof (typeof docsStrings)['en']['groups']

export interface DocHeading {
  anchor: string
  text: string
}

/** The text of a page in the language of the site, or in English if it is not translated. */
export interface DocText {
  lang: Language
  title: string
  /** The first sentence of the page. */
  summary: string
  html: string
  /** Headings of the second level. */
  headings: readonly DocHeading[]
}

export interface ListedDoc {
  address: string
  text: DocText
}

export interface DocGroup {
  name: GroupName
  docs: readonly ListedDoc[]
}

export interface DocsFrame {
  lang: Language
  assets: FrameAssets
  /** Address of the search index. */
  index: string
  groups: readonly DocGroup[]
}

/** Attributes for text in another language than the page around it. */
const inOwn = (lang: Language, { lang: own }: DocText) => (own === lang ? '' : ` lang="${own}" dir="${directionOf(own)}"`)
/** Attributes for an entry of a list: without `dir`, so that all entries start on the same side. */
const listedIn = (lang: Language, { lang: own }: DocText) => (own === lang ? '' : ` lang="${own}"`)

function link(address: string, current: string, text: string): string {
  const isCurrent = address === current ? ' aria-current="page"' : ''
  return `<a href="${address}"${isCurrent}><bdi>${e(text)}</bdi></a>`
}

function headingList({ headings }: DocText, label: string): string {
  if (headings.length === 0) return ''
  const items = headings.map(({ anchor, text }) => `<li><a href="#${e(anchor)}"><bdi>${e(text)}</bdi></a></li>`)
  return `<ul aria-label="${e(label)}">${items.join('')}</ul>`
}

/** The list of pages: next to the article, or folded on a phone. */
function pageList({ lang, groups }: DocsFrame, current: string): string {
  const t = docsStrings[lang]
  const lists = groups.map(({ name, docs }) => {
    const items = docs.map(({ address, text }) => {
      const headings = address === current ? headingList(text, t.onThisPage) : ''
      return `<li${listedIn(lang, text)}>${link(address, current, text.title)}${headings}</li>`
    })
    return `<p>${e(t.groups[name])}</p>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  return `<nav class="pages" aria-label="${e(t.pages)}">
<details id="pages">
<summary>${e(t.pages)}</summary>
<ul>
<li>${link(INDEX_ADDRESS, current, t.overview)}</li>
<li>${link(CONTRACT_ADDRESS, current, t.contract)}</li>
</ul>
${lists.join('\n')}
</details>
</nav>`
}

interface DocsDocument {
  address: string
  title: string
  description: string
  article: string
}

function docsDocument(docs: DocsFrame, { address, title, description, article }: DocsDocument): string {
  const { lang, assets, index } = docs
  const t = docsStrings[lang]
  return frame({
    lang,
    title: `${title} · ${strings[lang].brand}`,
    description,
    assets,
    path: address,
    current: 'docs',
    lead: `<form class="search" role="search" action="${INDEX_ADDRESS}" autocomplete="off">
<label class="unseen" for="q">${e(t.search)}</label>
${MAGNIFIER}
<input id="q" name="q" type="text" dir="auto" maxlength="100" enterkeyhint="search" autocapitalize="off" spellcheck="false" placeholder="${e(t.search)}" aria-keyshortcuts="/ Control+K Meta+K">
${KEYS_HINT}
</form>`,
    content: `<div class="docs">
${pageList(docs, address)}
<main id="main" tabindex="-1" data-index="${index}">
<section id="found" aria-label="${e(t.search)}" hidden></section>
<article id="article">
${article}
</article>
</main>
</div>`,
  })
}

export function docsPage(docs: DocsFrame, { address, text }: ListedDoc): string {
  const isForeign = text.lang !== docs.lang
  const notice = isForeign ? `<p class="hint">${e(docsStrings[docs.lang].englishOnly)}</p>\n` : ''
  const article = `${notice}<div class="prose"${inOwn(docs.lang, text)}>\n${text.html}</div>`
  return docsDocument(docs, { address, title: text.title, description: text.summary, article })
}

/** Lists the API contract first, because the contract used to be at this address. */
export function docsIndex(docs: DocsFrame): string {
  const { lang, groups } = docs
  const t = docsStrings[lang]
  const isForeign = groups.some(group => group.docs.some(({ text }) => text.lang !== lang))
  const card = (address: string, title: string, summary: string, attributes = '') =>
    `<li${attributes}><a href="${address}"><b>${e(title)}</b><span>${e(summary)}</span></a></li>`
  const lists = groups.map(({ name, docs }) => {
    const cards = docs.map(({ address, text }) => card(address, text.title, text.summary, inOwn(lang, text)))
    return `<h2>${e(t.groups[name])}</h2>\n<ul class="cards">\n${cards.join('\n')}\n</ul>`
  })
  const article = `<h1>${e(t.title)}</h1>
${isForeign ? `<p class="hint">${e(t.mostlyEnglish)}</p>\n` : ''}<ul class="cards">
${card(CONTRACT_ADDRESS, t.contract, t.contractText)}
</ul>
${lists.join('\n')}`
  return docsDocument(docs, { address: INDEX_ADDRESS, title: t.title, description: t.description, article })
}
