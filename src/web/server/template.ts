/** The explorer's built document, split at the places where the server inserts a view. */
import { bytes } from '../../engines/bytes.js'
import { escaped } from '../app/shell/frame.js'
import type { SiteFile } from './site.js'

export interface Filling {
  title: string
  description: string
  /** HTML, like `main` and `end`. */
  head: string
  main: string
  /** Pieces for the end of the body, so that the text arrives before the data. */
  end: readonly string[]
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
  ['country', '<select id="country"', '</select>'],
  ['otherLanguage', '<a id="language" class="quiet" href="', '"'],
  ['main', '<main id="main" tabindex="-1">', '</main>'],
  ['end', '', '</body>'],
] as const satisfies readonly (readonly [keyof Filling, string, string])[]

const ENCODER = new TextEncoder()
/** UTF-8 has at most three bytes for a unit of UTF-16. */
const BYTES_PER_UNIT_MAX = 3
/** Reused by all pages; replaced when a page needs more. Encoding into it takes half as long as encoding into new memory. */
let scratch = new Uint8Array(256 * 1024)

export class Template {
  readonly hash: string
  readonly #pieces: Uint8Array[] = []
  readonly #constantBytes: number
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
      this.#pieces.push(bytes(rest.slice(0, start)))
      this.#built[part] = rest.slice(start, end)
      rest = rest.slice(end)
    }
    this.#pieces.push(bytes(rest))
    this.#constantBytes = this.#pieces.reduce((sum, piece) => sum + piece.length, 0)
  }

  /** Parts that are not given stay unchanged. Each text is encoded on its own: joining them first would copy long ones. */
  fill({ title, description, otherLanguage, country = '', ...rest }: Partial<Filling>): Uint8Array {
    const given: Partial<Record<string, string | readonly string[]>> = { ...rest }
    if (title !== undefined) given.title = escaped(title)
    if (description !== undefined) given.description = escaped(description)
    if (otherLanguage !== undefined) given.otherLanguage = escaped(otherLanguage)
    if (country !== '') given.country = this.#built.country.replace(`value="${country}"`, '$& selected')
    const parts = PLACES.map(([part]) => [given[part] ?? this.#built[part]].flat())
    const units = parts.flat().reduce((sum, text) => sum + text.length, 0)
    const bytesMax = this.#constantBytes + units * BYTES_PER_UNIT_MAX
    if (bytesMax > scratch.length) scratch = new Uint8Array(bytesMax)
    let at = 0
    for (const [i, piece] of this.#pieces.entries()) {
      scratch.set(piece, at)
      at += piece.length
      for (const text of parts[i] ?? []) at += ENCODER.encodeInto(text, scratch.subarray(at)).written
    }
    return scratch.slice(0, at)
  }
}
