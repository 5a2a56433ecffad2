/**
 * Renders documents of records and of the tree on request, from memory. Each catalog has its own instance, so that a reload of
 * the dataset changes every page at once.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { HsRecord } from '../../answers/shapes.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import { isCode } from '../../codes/code.js'
import { digitsOf } from '../../codes/digits.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readAcceptEncoding, readAcceptLanguage, readIfNoneMatch, readQueryText } from '../../engines/request.js'
import { ERRORS } from '../../errors.js'
import { lookup } from '../../questions/codes.js'
import { readCountry } from '../../questions/country.js'
import { Refusal } from '../../questions/refusal.js'
import { namesTag } from '../../responses/entity-tag.js'
import { Head } from '../../responses/head.js'
import { acceptsGzip, isLanguage, languageFor } from '../../responses/preferences.js'
import type { Responder } from '../../responses/respond.js'
import { ANSWERS_ID } from '../app/data/first-paths.js'
import { query } from '../app/data/query.js'
import { type RecordData, sectionSiblings, type WholeRecord } from '../app/record/data.js'
import { strings } from '../app/text/strings.js'
import { CarriedAnswers, CatalogAnswers } from './catalog-answers.js'
import { dataElement } from './data-element.js'
import type { Translated } from './manifest.js'
import { RecentBodies } from './recent-bodies.js'
import { renderBrowse } from './render-browse.js'
import { headMarkup } from './render-head.js'
import { renderMissing, renderNotCode } from './render-missing.js'
import { Look, type RenderedView } from './render-parts.js'
import { renderRecord } from './render-record.js'
import type { Template } from './template.js'

export interface RenderOptions {
  templates: Translated<Template>
  /** HSAPI_PUBLIC_URL without a trailing slash; '' if it is not set. */
  publicUrl: string
  /** Headers of every page. */
  headers: Readonly<Record<string, string>>
}

interface Found {
  look: Look
  view: CountryView | undefined
  parameters: URLSearchParams
}

interface Page {
  /** Path without parameters. */
  path: string
  isFound: boolean
  view: RenderedView
  answers: CarriedAnswers
  record?: WholeRecord
}

const TAG_CHARS = 16
/** Level 1 takes a fifth of the time of the default level, and the result is a tenth larger. */
const GZIP = { level: 1 }
const COMPRESSED_FROM_BYTES = 1024
const VARY = 'Accept-Encoding, Accept-Language'

export class RenderedPages {
  readonly #answers: CatalogAnswers
  readonly #tag: string
  readonly #heads = new Map<string, { found: Head; unchanged: Head; missing: Head }>()
  readonly #recent = new RecentBodies()
  #day = ''

  constructor(
    private readonly catalog: Catalog,
    private readonly options: RenderOptions,
  ) {
    this.#answers = new CatalogAnswers(catalog)
    const { templates, publicUrl } = options
    const of = [catalog.id, catalog.defaultView?.country.code, templates.en.hash, templates.ar.hash, publicUrl]
    this.#tag = createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, TAG_CHARS)
  }

  record(req: HttpRequest, out: Responder, code: string): void {
    const asked = this.#read(req)
    if (this.#redirected(out, '/code/', code, asked)) return
    const record = lookup(this.catalog, code)
    const isFound = typeof record === 'number'
    const render = () => {
      const answers = new CarriedAnswers(this.#answers, asked.view).addDataset()
      return isFound ? this.#recordPage(asked, record, answers, out.today()) : this.#missingPage(asked, code, record, answers)
    }
    this.#end(req, out, asked, `/code/${code}`, isFound, render)
  }

  /** `code` is '' for the whole tree. */
  browse(req: HttpRequest, out: Responder, code: string): void {
    const asked = this.#read(req)
    if (this.#redirected(out, '/browse/', code, asked)) return
    const isFound = code === '' || this.catalog.trie.find(code) >= 0
    const path = code === '' ? '/browse' : `/browse/${encodeURIComponent(code)}`
    const { sections } = this.#answers
    const wanted = code === '' ? asked.parameters.get('section') : null
    const section = sections.find(one => one.section === wanted)?.section ?? ''
    const render = () => {
      const answers = new CarriedAnswers(this.#answers, asked.view).addDataset().addChapters()
      return { path, isFound, view: renderBrowse(asked.look, answers, { code: isCode(code) ? code : '', section }), answers }
    }
    this.#end(req, out, asked, `${path} ${section}`, isFound, render)
  }

  #read(req: HttpRequest): Found {
    const text = readQueryText(req)
    const parameters = new URLSearchParams(text)
    const lang = languageFor(text, readAcceptLanguage(req))
    const country = parameters.get('country')?.trim() ?? ''
    const chosen = country === '' ? undefined : readCountry(this.catalog, { country })
    const isCountryChosen = chosen !== undefined && !(chosen instanceof Refusal)
    const view = isCountryChosen ? chosen : this.catalog.defaultView
    const isLangChosen = isLanguage(parameters.get('lang') ?? '')
    const look = new Look(lang, isLangChosen, view?.country.code ?? '', isCountryChosen, this.catalog.lines.longest)
    return { look, view, parameters }
  }

  /** A code has one address, with digits only. A code in another notation, such as 8517.13, redirects to it. */
  #redirected(out: Responder, folder: string, code: string, { parameters }: Found): boolean {
    const digits = code === '' || isCode(code) ? '' : digitsOf(code)
    if (digits === '') return false
    const Location = query(folder + digits, Object.fromEntries(parameters))
    const headers = { ...this.options.headers, Location }
    out.endAsset({ head: new Head({ status: '301 Moved Permanently', contentType: null, headers }), body: new Uint8Array(0) })
    return true
  }

  #recordPage({ look }: Found, record: number, answers: CarriedAnswers, today: string): Page {
    const whole = JSON.parse(answers.addRecord(record, today)) as WholeRecord
    const isChapter = whole.path.length === 0
    if (isChapter) answers.addChapters()
    const siblings = isChapter ? sectionSiblings(this.#answers.sections, whole.hs_code) : whole.siblings
    const data: RecordData = { record: whole, siblings }
    return { path: `/code/${whole.hs_code}`, isFound: true, view: renderRecord(look, data), answers, record: whole }
  }

  #missingPage({ look }: Found, code: string, refusal: Refusal, answers: CarriedAnswers): Page {
    const path = `/code/${encodeURIComponent(code)}`
    if (!isCode(code)) return { path, isFound: false, view: renderNotCode(look, code), answers }
    const { details } = refusal
    answers.addMissing(code, refusal)
    const moved = details?.moved_to === undefined ? undefined : answers.addSuccessors(code)
    const records = moved?.targets.map(target => JSON.parse(answers.listed(target)) as HsRecord)
    const successors = moved && records && { edition: moved.edition, records }
    const view = renderMissing(look, code, details?.nearest ?? '', details?.moved_to ?? [], successors)
    return { path, isFound: false, view, answers }
  }

  #end(req: HttpRequest, out: Responder, { look }: Found, name: string, isFound: boolean, render: () => Page): void {
    const isGzip = acceptsGzip(readAcceptEncoding(req))
    // taxes may change at midnight
    const today = out.today()
    if (today !== this.#day) {
      this.#day = today
      this.#heads.clear()
    }
    const tag = `"${[this.#tag, today, look.lang, look.country, isGzip ? 'gzip' : ''].filter(part => part !== '').join('-')}"`
    const heads = this.#headsFor(tag, look, isGzip)
    const known = isFound ? readIfNoneMatch(req) : ''
    if (known !== '' && namesTag(known, tag)) return out.endHead(heads.unchanged)
    const key = isFound ? [name, look.key, isGzip, today].join() : ''
    const body = this.#recent.get(key) ?? this.#recent.keep(key, this.#body(look, render(), isGzip))
    out.endAsset({ head: isFound ? heads.found : heads.missing, body })
  }

  #headsFor(tag: string, { lang }: Look, isGzip: boolean) {
    const made = this.#heads.get(tag)
    if (made !== undefined) return made
    const coding = isGzip ? { 'Content-Encoding': 'gzip' } : {}
    const common = { ...coding, ...this.options.headers, 'Content-Language': lang, Vary: VARY }
    const headers = { ETag: tag, ...common }
    const contentType = 'text/html; charset=utf-8'
    const heads = {
      found: new Head({ status: '200 OK', contentType, headers }),
      unchanged: new Head({ status: '304 Not Modified', contentType: null, headers }),
      missing: new Head({ status: ERRORS.notFound.statusLine, reason: 'notFound', contentType, headers: common }),
    }
    this.#heads.set(tag, heads)
    return heads
  }

  #body(look: Look, { path, isFound, view, answers, record }: Page, isGzip: boolean): Uint8Array {
    const { templates, publicUrl } = this.options
    const { title, description, main } = view
    const steps = record === undefined ? [] : [...record.path, record]
    const { edition } = this.catalog.meta
    const plain = templates[look.lang].fill({
      title: `${title} · ${strings[look.lang].brand}`,
      description,
      head: isFound ? headMarkup({ look, path, title, description, publicUrl, steps, edition }) : '',
      main,
      end: [...dataElement('application/json', answers.json, ANSWERS_ID), '\n'],
      otherLanguage: look.address(path, look.other),
      country: look.country,
    })
    return isGzip && plain.length >= COMPRESSED_FROM_BYTES ? gzipSync(plain, GZIP) : plain
  }
}
