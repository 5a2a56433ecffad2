/** What versions of the dataset changed, and the feeds of versions. */
import * as limits from '../limits.js'
import { CHANGE_KINDS } from '../snapshot/format.js'
import { boolean, code, count, type Json, object, patterned, percentage, ref, string } from './schema-parts.js'

export const versionSchema = patterned('^\\d+\\.\\d+\\.\\d+$')

export const kindSchema: Json = { type: 'string', enum: CHANGE_KINDS }

const side = (nothing: string): Json => ({
  anyOf: [ref('ChangedFields'), { type: 'null' }],
  description: `null for a code that was ${nothing}`,
})

export const changeSchemas: Record<string, Json> = {
  ChangedFields: {
    ...object({ description: ref('Description'), tariff_rate: percentage, is_active: boolean }, [
      'description',
      'tariff_rate',
      'is_active',
    ]),
    description: 'Of a code that was added or removed, description and rate; otherwise only what changed',
  },
  DatasetChange: object({
    version: { ...versionSchema, description: 'The version that changed it' },
    kind: kindSchema,
    hs_code: code,
    old: side('added'),
    new: side('removed'),
  }),
  Feed: object({
    version: { type: 'string', const: 'https://jsonfeed.org/version/1.1' },
    title: string,
    language: { type: 'string', enum: limits.LANGUAGES },
    items: { type: 'array', items: ref('FeedItem') },
  }),
  FeedItem: object({
    id: string,
    title: string,
    content_text: string,
    date_published: { type: 'string', format: 'date-time' },
    _hsapi: object({
      version: versionSchema,
      before: { ...versionSchema, description: 'The version that the changes are counted from' },
      changes: { ...string, description: 'Path of the changes' },
      ...Object.fromEntries(CHANGE_KINDS.map(kind => [kind, count])),
    }),
  }),
}
