/** Schemas of the fields that `include` adds to a record. */
import * as limits from '../limits.js'
import { COUNTRY_CODES } from '../snapshot/country-format.js'
import { code, type Json, list, object, percentage, ref, string, stringOrNull, subheading } from './schema-parts.js'

const dateOrNull: Json = { ...stringOrNull, format: 'date' }

const firstPage = (what: string): Json => ({ ...ref('RecordPage'), description: `${what}; the first page` })

export const included: Record<string, Json> = {
  path: {
    type: 'array',
    description: 'With include=path: the codes above, from the chapter down to the parent',
    items: ref('PathStep'),
  },
  editions: {
    type: 'object',
    description:
      'With include=editions: by year, the codes that correspond to the first six digits in earlier editions and in the next one; ' +
      'empty lists for shorter codes',
    additionalProperties: { type: 'array', items: subheading },
  },
  rate: object(
    {
      from: { ...code, description: 'The code that sets the rate' },
      source: { ...stringOrNull, description: 'Null if the dataset does not name the source' },
      certainty: {
        type: ['string', 'null'],
        enum: ['published', 'general', 'reported', 'derived', 'uncertain', null],
        description: 'derived: the list does not have the line, but the lines around it have this rate',
      },
      min: { ...percentage, description: 'Lowest rate of the lines at or below the code' },
      max: { ...percentage, description: 'Highest rate of the lines at or below the code' },
      status: {
        type: 'string',
        enum: ['normal', 'prohibited', 'unknown'],
        description:
          "prohibited: the country's list, or a control of the country or of all GCC states, prohibits the goods. unknown: the country's " +
          "list has no import rate, and the rate is the common tariff's",
      },
      country: { type: 'string', enum: COUNTRY_CODES, description: 'Only with the rates of a country' },
      list: { ...dateOrNull, description: "Date of the country's list; null if the common tariff sets the rate" },
      date: { ...dateOrNull, description: 'Date of the record in that list' },
    },
    ['country', 'list', 'date'],
  ),
  unit: {
    anyOf: [ref('Unit'), { type: 'null' }],
    description:
      'With include=unit: the unit in which the quantity is declared; null if the dataset has none, or if the codes below have different units',
  },
  notes: {
    ...ref('NoteList'),
    description:
      'With include=notes: legal notes of the code, of the codes above it and of its section, nearest scope first, at most ' +
      `${limits.NOTES_MAX}`,
  },
  see_also: {
    ...ref('PointerList'),
    description:
      'With include=see_also: goods that people look for here and the codes that they belong to; from the code, from the codes above ' +
      `it and, unless it is a chapter, from those below it, at most ${limits.SEE_ALSO_MAX}`,
  },
  controls: {
    ...ref('Controls'),
    description: 'With include=controls: import controls on the goods in all GCC states, and in the country of the request',
  },
  examples: {
    ...object({ en: list(string, limits.EXAMPLES_MAX), ar: list(string, limits.EXAMPLES_MAX) }),
    description: 'With include=examples: everyday names of the code, best known first',
  },
  short: {
    anyOf: [ref('Description'), { type: 'null' }],
    description:
      'With include=short: a short description for couriers and shops, of at most short_max characters, never cut within a word; null ' +
      'unless there is one in each language',
  },
}

export const includedInLookup: Record<string, Json> = {
  ...included,
  children: firstPage('With include=children: the codes one level below'),
  siblings: firstPage('With include=siblings: all codes with the same parent, this one included; empty for a chapter'),
  lines: firstPage('With include=lines: the lines with the most digits at or below the code'),
  countries: {
    ...list(ref('CountryTerms'), COUNTRY_CODES.length),
    description: 'With include=countries: duty, VAT, excise and controls of every country of the dataset, in force today',
  },
  notes: {
    ...ref('AllNotes'),
    description: 'With include=notes: all legal notes of the code, of the codes above it and of its section, nearest scope first',
  },
}

export const includedInSearch: Record<string, Json> = {
  ...included,
  matched: {
    anyOf: [ref('Name'), { type: 'null' }],
    description:
      'With include=matched: the everyday name most similar to the query; null if the description is more similar, or if q is a code',
  },
}
