/** Reduces records and search results to the requested fields. */
import type { RECORD_FIELDS } from '../limits.js'
import type { Description } from './shapes.js'

export type FieldName = (typeof RECORD_FIELDS)[number]
export type Fields = ReadonlySet<FieldName>

/** Keeps the order of the fields. `json` is an object in which only `description` is nested. */
export function pickFields(json: string, fields: Fields): string {
  const picked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(JSON.parse(json) as Record<string, unknown>)) {
    if (fields.has(name as FieldName)) picked[name] = value
    else if (name === 'description') {
      const words = pickWords(value as Description, fields)
      if (Object.keys(words).length > 0) picked[name] = words
    }
  }
  return JSON.stringify(picked)
}

function pickWords({ en, ar }: Description, fields: Fields): Partial<Description> {
  return { ...(fields.has('description.en') && { en }), ...(fields.has('description.ar') && { ar }) }
}
