/** Two snapshots of the same codes that differ in every word of one chapter. */
import { copyFileSync, cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CHAPTER = '85'
const MARK_EN = ' renewed'
const MARK_AR = ' مجدد'
const ROW = /^(\d{2,14}),("(?:[^"]|"")*"|[^",]*),("(?:[^"]|"")*"|[^",]*),/

const marked = (field, mark) => (field.endsWith('"') ? `${field.slice(0, -1)}${mark}"` : `${field}${mark}`)

export class Editions {
  /** The file that the servers serve. */
  served
  #files

  static async make(stage) {
    const editions = new Editions()
    const dataset = stage.path('renewed')
    cpSync(stage.dataset, dataset, { recursive: true })
    const chapter = join(dataset, 'chapters', `${CHAPTER}.csv`)
    const rows = readFileSync(chapter, 'utf8').split('\n')
    const renewed = rows.map(row =>
      row.replace(ROW, (_row, code, en, ar) => `${code},${marked(en, MARK_EN)},${marked(ar, MARK_AR)},`),
    )
    writeFileSync(chapter, renewed.join('\n'))
    const old = stage.path('old.snapshot')
    copyFileSync(stage.snapshot, old)
    editions.#files = [old, await stage.compile(dataset, 'renewed.snapshot')]
    editions.served = stage.path('served.snapshot')
    editions.put(0)
    return editions
  }

  /** Replaces the file with a rename, as a build does. */
  put(which) {
    copyFileSync(this.#files[which % 2], `${this.served}.new`)
    renameSync(`${this.served}.new`, this.served)
  }

  get bytes() {
    return readFileSync(this.served)
  }

  get sizeMb() {
    return statSync(this.#files[1]).size / 2 ** 20
  }

  /** Checks that an answer comes from a single edition. Returns the fault, if any. */
  static check({ status, body }) {
    if (status !== 200) return `status ${status}`
    const { data } = JSON.parse(body)
    const seen = new Set(
      (Array.isArray(data) ? data : [data])
        .filter(({ hs_code }) => hs_code.startsWith(CHAPTER))
        .flatMap(({ description: { en, ar } }) => [en.endsWith(MARK_EN), ar.endsWith(MARK_AR)]),
    )
    return seen.size === 1 ? undefined : `mixes two editions: ${body.toString().slice(0, 300)}`
  }

  static PATHS = [
    '/api/v1/hs-codes/852321',
    '/api/v1/hs-codes/85/children',
    '/api/v1/hs-codes/8523/children?limit=3',
    '/api/v1/search?q=8523&limit=5',
  ]
}
