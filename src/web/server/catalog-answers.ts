/** API answers as JSON, for the pages that the server renders. */

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
import { initialTree, type Tree } from '../app/browse/branches.js'
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
/** Maximum number of codes of one list in a document. The page requests the rest. */
const LIST_MAX = 4 * LIST_PAGE

/** The API answers in a document, by path. */
export class CarriedAnswers {
  /** By path, in pieces: a record is long, and each time it is joined with other text it is copied. */
  readonly #answers = new Map<string, readonly string[]>()

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

  /** Returns the record as JSON. */
  addRecord(record: number, day: string): string {
    const { catalog } = this.from
    const json = recordJson(catalog, record, { ...OF_RECORD, day }, this.view)
    this.#add(this.#in(recordPath(catalog.records.code(record))), json)
    return json
  }

  /** Adds a page of children. `total` is at most LIST_MAX, so that the tree requests no pages beyond it. */
  addChildren(record: number, offset: number): { items: ListedRecord[]; total: number } {
    const { catalog } = this.from
    const { first, count, total } = childrenOf(catalog, record, LIST_PAGE, offset)
    const list = `[${Array.from({ length: count }, (_, i) => this.listed(first + i)).join()}]`
    const path = this.#in(childrenPath(catalog.records.code(record), offset))
    this.#answers.set(path, ['{"data":', list, `,"meta":${JSON.stringify({ total, count })}}`])
    return { items: JSON.parse(list) as ListedRecord[], total: Math.min(total, LIST_MAX) }
  }

  /** A record in the form that lists use. */
  listed(record: number): string {
    return recordJson(this.from.catalog, record, OF_LIST, this.view)
  }

  addMissing(code: string, { details }: Refusal): this {
    return this.#addError(this.#in(recordPath(code)), { details })
  }

  /**
   * Adds the answers that the page requests: one per edition, up to the first edition with the code. Returns the successors.
   */
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

  /** All answers as one JSON object, in pieces. */
  get json(): readonly string[] {
    const entries = [...this.#answers].flatMap(([path, answer], i) => [
      `${i === 0 ? '' : ','}${JSON.stringify(path)}:`,
      ...answer,
    ])
    const serverCountry = this.from.catalog.defaultView?.country.code ?? ''
    return [`{"serverCountry":${JSON.stringify(serverCountry)},"answers":{`, ...entries, '}}']
  }

  #in(path: string): string {
    return pathIn(this.view?.country.code ?? '', path)
  }

  #add(path: string, data: string): this {
    this.#answers.set(path, ['{"data":', data, '}'])
    return this
  }

  #addError(path: string, error: object): this {
    this.#answers.set(path, [JSON.stringify({ error })])
    return this
  }
}

/** Answers that do not depend on a code, prepared once per catalog. */
export class CatalogAnswers {
  readonly dataset: string
  readonly chapters: string
  readonly sections: readonly Section[]
  /** With all branches closed. */
  readonly tree: Tree
  /** HTML of closed sections. They are the largest part of a tree, and the same on every page of a language and country. */
  readonly closedSections = new RecentBodies<string>()

  constructor(readonly catalog: Catalog) {
    this.dataset = JSON.stringify(dataset(catalog))
    this.chapters = chaptersJson(catalog)
    this.sections = JSON.parse(this.chapters) as Section[]
    this.tree = initialTree(this.sections, catalog.lines.longest)
  }
}
