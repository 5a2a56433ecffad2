import { RATE_STATUSES } from '../snapshot/changed-terms.js'
import { APPLIES, COUNTRY_CODES, TAX_NAMES, TAX_UNITS } from '../snapshot/country-format.js'
import { CHANGE_KINDS, CONTROL_KINDS } from '../snapshot/format.js'
import { boolean, code, type Json, object, patterned, percentage, ref, stringOrNull } from './schema-parts.js'

export const versionSchema = patterned('^\\d+\\.\\d+\\.\\d+$')

export const kindSchema: Json = { type: 'string', enum: CHANGE_KINDS }

const side = (nothing: string): Json => ({
  anyOf: [ref('ChangedFields'), { type: 'null' }],
  description: `null for a code that was ${nothing}`,
})

const numberOrNull: Json = { type: ['number', 'null'] }
const dayOrNull: Json = { type: ['string', 'null'] }

const changedFields: Record<string, Json> = {
  description: ref('Description'),
  tariff_rate: percentage,
  is_active: boolean,
  rate_status: {
    type: 'string',
    enum: RATE_STATUSES,
    description: "Present instead of a rate if the country's list has no rate",
  },
  taxes: { type: 'array', items: ref('ChangedTax'), description: 'All taxes on the goods, before or after the change' },
  controls: {
    type: 'array',
    items: ref('ChangedControl'),
    description: 'All controls of the country, or of all GCC states together',
  },
  unit: { ...stringOrNull, description: 'The unit in which the quantity is declared' },
}

export const changeSchemas: Record<string, Json> = {
  ChangedFields: {
    ...object(changedFields, Object.keys(changedFields)),
    description: 'For a code that was added or removed: description and rate; otherwise only the fields that changed',
  },
  ChangedTax: object({
    tax: { type: 'string', enum: TAX_NAMES },
    rate: { ...numberOrNull, description: 'Percent of the value' },
    unit_amount: { ...numberOrNull, description: "For each unit, in the country's currency" },
    minimum: { ...numberOrNull, description: 'The lowest price for each unit on which the rate is charged' },
    unit: { type: ['string', 'null'], enum: [...TAX_UNITS, null] },
    sugar_from: { ...numberOrNull, description: 'The tax applies from this many grams of sugar per 100 ml' },
    sugar_below: { ...numberOrNull, description: 'The tax applies below this many grams of sugar per 100 ml' },
    applies: { type: 'string', enum: APPLIES, description: 'perhaps: depends on something that the code does not show' },
    since: { ...dayOrNull, description: 'The first day, if it is later than the day of the version' },
    until: { ...dayOrNull, description: 'The last day' },
  }),
  ChangedControl: object({ kind: { type: 'string', enum: CONTROL_KINDS }, authority: stringOrNull }),
  DatasetChange: object(
    {
      version: { ...versionSchema, description: 'The version with this change' },
      kind: kindSchema,
      hs_code: {
        ...code,
        description: 'Changes to terms (country_rate, taxes, controls, unit) also apply to all codes below this code',
      },
      country: { type: 'string', enum: COUNTRY_CODES, description: 'Absent if the change applies to all countries' },
      old: side('added'),
      new: side('removed'),
    },
    ['country'],
  ),
}
