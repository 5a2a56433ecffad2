/** Answers of the API as JSON, for the pages that are rendered with them. */

import { recordJson } from '../../answers/records.js'
import type { ListedRecord, Section } from '../../answers/shapes.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CountryView } from '../../catalog/countries.js'
import { subheadingOf } from '../../codes/levels.js'
import { chaptersJson } from '../../http/handlers/chapters.js'
import { LOOKUP_INCLUDES } from '../../limits.js'
import { childrenOf } from '../../questions/children.js'
import { dataset } from '../../questions/dataset.js'
import { edition } from '../../questions/editions.js'
import { type Include, NOTHING, readInclude } from '../../questions/include.js'
import { Refusal } from '../../questions/refusal.js'
import { planted, type Tree } from '../app/browse/branches.js'
import {
  CHAPTERS_PATH,
  childrenPath,
  DATASET_PATH,
  EARLIER_EDITIONS,
  editionPath,
  LIST_PAGE,
  pathIn,
  RECORD_INCLUDE,
  recordPath,
} from '../app/data/first-paths.js'
import { RecentBodies } from './recent-bodies.js'

const OF_RECORD = readInclude(RECORD_INCLUDE, LOOKUP_INCLUDES) as Include
const OF_LIST: Include = { ...NOTHING, rate: true }
/** Codes of a list that are put into a document; the page asks for further ones itself. */
const LIST_MAX = 4 * LIST_PAGE

/** What a document carries, by path of the API. */
export class CarriedAnswers {
  readonly #answers = new Map<string, string>()

  constructor(
    readonly from: CatalogAnswers,
    private readonly view: CountryView | undefined,
  ) {}

  addDataset(): this {
    return this.#add(DATASET_PATH, this.from.dataset)
  }

  addChapters(): this {
    return this.#add(CHAPTERS_PATH, this.from.chapters)
  }

  /** Returns the record. */
  addRecord(record: number, day: string): string {
    const { catalog } = this.from
    const json = recordJson(catalog, record, { ...OF_RECORD, day }, this.view)
    this.#add(this.#in(recordPath(catalog.records.code(record))), json)
    return json
  }

  /** A page of the children. Beyond the last page that a document takes there seem to be none. */
  addChildren(record: number, offset: number): { items: ListedRecord[]; total: number } {
    const { catalog } = this.from
    const { first, count, total } = childrenOf(catalog, record, LIST_PAGE, offset)
    const list = `[${Array.from({ length: count }, (_, i) => this.listed(first + i)).join()}]`
    const path = this.#in(childrenPath(catalog.records.code(record), offset))
    this.#answers.set(path, `{"data":${list},"meta":${JSON.stringify({ total, count })}}`)
    return { items: JSON.parse(list) as ListedRecord[], total: Math.min(total, LIST_MAX) }
  }

  /** A record as lists have it. */
  listed(record: number): string {
    return recordJson(this.from.catalog, record, OF_LIST, this.view)
  }

  addMissing(code: string, { details }: Refusal): this {
    return this.#addError(this.#in(recordPath(code)), { details })
  }

  /** What a code of an earlier edition became, as far as the page asks. Returns the records. */
  addSuccessors(code: string): { edition: string; targets: number[] } | undefined {
    const { catalog } = this.from
    for (const year of EARLIER_EDITIONS) {
      const found = edition(catalog, year, subheadingOf(code))
      if (found instanceof Refusal || !('targets' in found)) {
        this.#addError(editionPath(year, code), {})
        continue
      }
      const targets = Array.from(found.targets)
      const { relation } = found
      const head = JSON.stringify({ edition: year, code: subheadingOf(code), relation }).slice(0, -1)
      this.#add(editionPath(year, code), `${head},"targets":[${targets.map(one => recordJson(catalog, one)).join()}]}`)
      return { edition: year, targets }
    }
    return undefined
  }

  get json(): string {
    const entries = [...this.#answers].map(([path, answer]) => `${JSON.stringify(path)}:${answer}`)
    const serverCountry = this.from.catalog.defaultView?.country.code ?? ''
    return `{"serverCountry":${JSON.stringify(serverCountry)},"answers":{${entries.join()}}}`
  }

  #in(path: string): string {
    return pathIn(this.view?.country.code ?? '', path)
  }

  #add(path: string, data: string): this {
    this.#answers.set(path, `{"data":${data}}`)
    return this
  }

  #addError(path: string, error: object): this {
    this.#answers.set(path, JSON.stringify({ error }))
    return this
  }
}

/** Those that do not depend on a code are made once. */
export class CatalogAnswers {
  readonly dataset: string
  readonly chapters: string
  readonly sections: readonly Section[]
  /** With all branches closed. */
  readonly tree: Tree
  /** HTML: most of a tree, and the same on every page of a language and country. */
  readonly closedSections = new RecentBodies<string>()

  constructor(readonly catalog: Catalog) {
    this.dataset = JSON.stringify(dataset(catalog))
    this.chapters = chaptersJson(catalog)
    this.sections = JSON.parse(this.chapters) as Section[]
    this.tree = planted(this.sections, catalog.lines.longest)
  }
}
