/** The explorer's built document, split at the places where the server inserts a view. */
import { escaped } from '../app/shell/frame.js'
import type { SiteFile } from './site.js'

export interface Filling {
  title: string
  description: string
  /** HTML, like `main` and `end`. */
  head: string
  main: string
  /** At the end of the body, so that the text arrives before the data. */
  end: string
  /** Address of the page in the other language. */
  otherLanguage: string
  /** The selected country; '' for none. */
  country: string
}

/** The markup before and after each part, in document order. */
const PLACES = [
  ['title', '<title>', '</title>'],
  ['description', '<meta name="description" content="', '"'],
  ['head', '', '</head>'],
  ['otherLanguage', '<a id="language" class="quiet" href="', '"'],
  ['main', '<main id="main" tabindex="-1">', '</main>'],
  ['end', '', '</body>'],
] as const satisfies readonly (readonly [keyof Filling, string, string])[]

export class Template {
  readonly hash: string
  readonly #pieces: string[] = []
  readonly #built: Record<string, string> = {}

  constructor({ name, hash, plain }: SiteFile) {
    if (plain === undefined) throw new Error(`${name} is not stored uncompressed`)
    this.hash = hash
    let rest = Buffer.from(plain).toString()
    for (const [part, before, after] of PLACES) {
      const opening = before === '' ? rest.indexOf(after) : rest.indexOf(before)
      const start = opening + before.length
      const end = rest.indexOf(after, start)
      if (opening < 0 || end < 0) throw new Error(`${name} has no place for ${part}`)
      this.#pieces.push(rest.slice(0, start))
      this.#built[part] = rest.slice(start, end)
      rest = rest.slice(end)
    }
    this.#pieces.push(rest)
  }

  /** Parts that are not given stay unchanged. */
  fill({ title, description, otherLanguage, country = '', ...parts }: Partial<Filling>): string {
    const given: Partial<Record<string, string>> = { ...parts }
    if (title !== undefined) given.title = escaped(title)
    if (description !== undefined) given.description = escaped(description)
    if (otherLanguage !== undefined) given.otherLanguage = escaped(otherLanguage)
    const filled = PLACES.map(([part], i) => this.#pieces[i] + (given[part] ?? this.#built[part]))
    const html = filled.join('') + this.#pieces[PLACES.length]
    const option = `<option value="${country}"`
    return country === '' ? html : html.replace(option, `${option} selected`)
  }
}
