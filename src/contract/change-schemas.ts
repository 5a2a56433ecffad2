/** Schemas for the changes between dataset versions. */
import { CHANGE_KINDS } from '../snapshot/format.js'
import { boolean, code, type Json, object, patterned, percentage, ref } from './schema-parts.js'

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
    description: 'For a code that was added or removed: description and rate; otherwise only the fields that changed',
  },
  DatasetChange: object({
    version: { ...versionSchema, description: 'The version with this change' },
    kind: kindSchema,
    hs_code: code,
    old: side('added'),
    new: side('removed'),
  }),
}
