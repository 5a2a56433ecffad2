import { escaped } from '../app/shell/frame.js'

/**
 * Data for scripts and search engines, in pieces; `json` is already JSON. Browsers do not run this type, so the content
 * security policy needs no exception. `<` is escaped because `</script>` would end the element; JSON has it only inside
 * strings.
 */
export function dataElement(
  type: 'application/json' | 'application/ld+json',
  json: readonly string[],
  id?: string,
): readonly string[] {
  const opening = id === undefined ? `type="${type}"` : `type="${type}" id="${escaped(id)}"`
  return [`<script ${opening}>`, ...json.map(piece => piece.replaceAll('<', '\\u003c')), '</script>']
}
