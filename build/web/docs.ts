/** Makes the documentation pages from docs/*.md: documents, a search index for each language, and images. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type DocsFrame, docsIndex, docsPage } from '../../src/web/app/docs/docs-shell.js'
import type { IndexedPage } from '../../src/web/app/docs/index-file.js'
import type { FrameAssets } from '../../src/web/app/shell/frame.js'
import type { Language } from '../../src/web/app/text/strings.js'
import type { DocPage, Translated } from '../../src/web/server/manifest.js'
import { addressOf, hashed, type Made } from './bundle.js'
import { type DocFile, docAddress, readDocFiles, servedName } from './doc-files.js'
import type { DocLinks } from './doc-links.js'
import { type RenderedDoc, renderDoc } from './markdown.js'

const DOCS_FOLDER = 'docs'
const IMAGE_ENDINGS = ['.webp']

export interface MadeDocs {
  index: Translated<Made>
  docs: DocPage<Made>[]
  assets: Made[]
}

interface Rendered {
  file: DocFile
  address: string
  text: RenderedDoc
}

function renderAll(files: readonly DocFile[], lang: Language, links: DocLinks): Rendered[] {
  return files.map(file => {
    const { name, markdown } = file
    const isTranslated = lang === 'ar' && markdown.ar !== undefined
    const text = isTranslated
      ? renderDoc(`${name}.ar.md`, markdown.ar as string, 'ar', links)
      : renderDoc(`${name}.md`, markdown.en, 'en', links)
    return { file, address: docAddress(file.name), text }
  })
}

function searchIndex(rendered: readonly Rendered[], lang: Language): Made {
  const pages: IndexedPage[] = rendered.map(({ address, text }) => {
    return { address, title: text.title, lang: text.lang, sections: text.sections }
  })
  return hashed(`docs-index-${lang}.json`, Buffer.from(JSON.stringify(pages)))
}

/** By group, in the order of the files. */
function grouped(rendered: readonly Rendered[]): DocsFrame['groups'] {
  const names = [...new Set(rendered.map(({ file }) => file.group))]
  return names.map(name => ({ name, docs: rendered.filter(({ file }) => file.group === name) }))
}

function imagesIn(folder: string): Map<string, Made> {
  const files = readdirSync(folder).filter(file => IMAGE_ENDINGS.includes(extname(file)))
  return new Map(files.map(file => [file, hashed(file, readFileSync(join(folder, file)))]))
}

const document = (name: string, lang: Language, html: string) => hashed(`${name}.${lang}.html`, Buffer.from(html), DOCS_FOLDER)

export function makeDocs(folder: string, assets: FrameAssets): MadeDocs {
  const files = readDocFiles(folder)
  const images = imagesIn(folder)
  const links: DocLinks = {
    names: new Set(files.map(({ name }) => name)),
    images: new Map([...images].map(([file, image]) => [file, addressOf(image)])),
  }
  const inLanguage = (lang: Language) => {
    const rendered = renderAll(files, lang, links)
    const search = searchIndex(rendered, lang)
    const frame: DocsFrame = { lang, assets, index: addressOf(search), groups: grouped(rendered) }
    return {
      search,
      index: document('index', lang, docsIndex(frame)),
      pages: rendered.map(doc => document(servedName(doc.file.name), lang, docsPage(frame, doc))),
    }
  }
  const en = inLanguage('en')
  const ar = inLanguage('ar')
  // images that only the README shows are not served
  const isShown = (image: Made) => en.pages.some(({ content }) => Buffer.from(content).includes(addressOf(image)))
  return {
    index: { en: en.index, ar: ar.index },
    docs: files.map(({ name }, i) => ({ name: servedName(name), en: en.pages[i] as Made, ar: ar.pages[i] as Made })),
    assets: [en.search, ar.search, ...[...images.values()].filter(isShown)],
  }
}
