/** HTML out of values. Text and attributes are escaped here and nowhere else; only what was made here is taken as it is. */
import { escaped } from '../app/shell/frame.js'

export class Markup {
  constructor(readonly html: string) {}
}

export type Piece = Markup | string | number | null | undefined | false | readonly Piece[]
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

const WITHOUT_END = new Set(['link', 'meta', 'path'])

export function html(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.html
  if (typeof piece === 'object') return piece.map(html).join('')
  return escaped(String(piece))
}

export function tag(name: string, attributes: Attributes = {}, ...children: Piece[]): Markup {
  let opening = name
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    opening += value === true ? ` ${attribute}` : ` ${attribute}="${escaped(String(value))}"`
  }
  return new Markup(WITHOUT_END.has(name) ? `<${opening}>` : `<${opening}>${html(children)}</${name}>`)
}

/** A sentence with `{name}` in it, with pieces in their places. */
export function fill(sentence: string, parts: Readonly<Record<string, Piece>>): Piece[] {
  return sentence.split(/\{(\w{1,30})\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]))
}

/**
 * Data for scripts and search engines; `json` is already JSON. Browsers do not run this type, so the content security policy
 * has nothing to allow. A `<` could end the element, and occurs in strings only.
 */
export function dataElement(type: 'application/json' | 'application/ld+json', json: string, id?: string): Markup {
  const opening = id === undefined ? `type="${type}"` : `type="${type}" id="${escaped(id)}"`
  return new Markup(`<script ${opening}>${json.replaceAll('<', '\\u003c')}</script>`)
}
