/** Tool descriptions for the model: when to use which, and how to use the answer. */
import type { Catalog } from '../catalog/catalog.js'
import * as limits from '../limits.js'
import { COUNTRY_CODES, TAX_UNITS } from '../snapshot/country-format.js'
import type { Answer } from './answer.js'
import { estimateDuty, findCodes, resolveCodes, showCode, showEdition } from './questions.js'

export interface Tool {
  name: string
  title: string
  description: string
  properties: Record<string, object>
  required: readonly string[]
  /** Arguments have been validated against the schema above. */
  ask(catalog: Catalog, args: never): Answer
}

const country = { enum: [...COUNTRY_CODES], description: "Whose duty rate and controls; the GCC's common tariff by default." }
const language = {
  type: 'string',
  enum: ['en', 'ar', 'both'],
  description: 'Of the descriptions. Ask for "ar" or "both" only where the user reads Arabic; default "en".',
}
const written = {
  type: 'string',
  description: 'As written: dots, spaces and a lost leading zero do not matter.',
}

export const INSTRUCTIONS =
  'HS (customs tariff) codes of HS 2022 with GCC lines, in English and Arabic, with indicative duty rates. ' +
  'From words to a code: search_hs_codes, then get_hs_code to walk down to the line that goods are declared on. ' +
  'Codes that the user has already: resolve_hs_codes. Never invent a code: name only codes that a tool returned. ' +
  'Where a word fits several headings, ask the user what decides before you choose. ' +
  'Say that rates are indicative and must be verified with the customs authority.'

export const TOOLS: readonly Tool[] = [
  {
    name: 'search_hs_codes',
    title: 'Search HS codes by words',
    description:
      'Finds HS codes for goods named in English or Arabic, the best first. Use it when the user names goods and has no code. ' +
      'Give the name of the goods alone, with what narrows it ("men\'s cotton shirts, knitted"), not a question. ' +
      'If the answer has ask_back, or results differ in material, use or state that the user did not tell, ask the user which ' +
      'applies and search again with that word, or with within set to the heading chosen. Then use get_hs_code to go down to the line.',
    properties: {
      query: {
        type: 'string',
        minLength: limits.QUERY_CHARS_MIN,
        maxLength: limits.QUERY_CHARS_MAX,
        description: 'The goods, in English, Arabic or both; or the first digits of a code.',
      },
      level: {
        type: 'integer',
        enum: limits.LEVELS,
        description: 'Only codes of so many digits; 6 for subheadings.',
      },
      within: { type: 'string', description: 'Only codes at or below this one of 2, 4 or 6 digits.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: limits.AGENT_RESULTS_MAX,
        description: `How many at most; default ${limits.AGENT_RESULTS_DEFAULT}.`,
      },
      country,
      language,
    },
    required: ['query'],
    ask: findCodes,
  },
  {
    name: 'get_hs_code',
    title: 'Show an HS code',
    description:
      'Shows one code: its words, the codes above it, the codes one level below, its duty rate and where that is from, the unit of quantity, controls that apply in all GCC states, ' +
      'legal notes that touch it (what it excludes and where that goes, what words mean), and goods that belong elsewhere (see_also). ' +
      'Use it to check a code, to explain it, and to walk down from a heading until declarable is true: goods are declared on such a line. ' +
      'If a note or see_also names the goods of the user, go to the code that it names. ' +
      'Where several children fit, ask the user what tells them apart. Rates are indicative. Pass on the controls and their note: ' +
      'an empty list does not mean that importing is free.',
    properties: {
      code: written,
      children_limit: {
        type: 'integer',
        minimum: 1,
        maximum: limits.AGENT_CHILDREN_MAX,
        description: `How many codes below at most; default ${limits.AGENT_CHILDREN_DEFAULT}.`,
      },
      country,
      language,
    },
    required: ['code'],
    ask: showCode,
  },
  {
    name: 'resolve_hs_codes',
    title: 'Check and clean HS codes',
    description:
      'Tells what codes mean that came from a person, an invoice or a spreadsheet: found, normalised, moved, ambiguous, unknown or invalid. ' +
      'Use it for codes that are given, one or many, not for words. For ambiguous ones show the candidates and ask; never choose silently.',
    properties: {
      codes: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: limits.AGENT_CODES_MAX },
      edition: {
        type: 'string',
        description:
          'The year of the edition that the codes are from: "2022" (default), "2017", "2012", "2007", "2002" or "1996".',
      },
      language,
    },
    required: ['codes'],
    ask: resolveCodes,
  },
  {
    name: 'estimate_duty',
    title: 'Estimate import duty',
    description:
      'Estimates import duty, VAT if asked for, and landed cost of goods of one code and CIF value, in exact decimals. ' +
      'With country, one of the six Gulf states: its own rates, excise, fees and VAT, each with source and certainty. ' +
      'Use it only with a code that the user confirmed or a tool returned. Nothing is converted: currency is a label. ' +
      'Always pass on the notes: rates are indicative, must be verified with the customs authority, and may differ between lines below the code.',
    properties: {
      code: written,
      value: { type: ['number', 'string'], description: 'CIF value, 0.01 or more, without separators.' },
      currency: { type: 'string', description: `Three letters; default ${limits.CURRENCY_DEFAULT}.` },
      include_vat: {
        type: 'boolean',
        description: 'Whether to add VAT; by default only where vat_rate is given. Ask if it matters.',
      },
      vat_rate: {
        type: 'number',
        minimum: 0,
        maximum: limits.VAT_RATE_MAX,
        description:
          "Percent; implies VAT unless include_vat is false; default the dataset's. It changes VAT only: the duty stays the " +
          "dataset's (as shipped, the GCC's common tariff as applied in the UAE); for another country send country instead.",
      },
      country: { ...country, description: 'Where the goods are imported. VAT is then included unless include_vat is false.' },
      as_of: { type: 'string', description: "A day such as 2026-03-01: by the country's list of that time. Needs country." },
      origin: { type: 'string', description: 'ISO code of the country of origin, for agreements. Needs country.' },
      freight: { type: ['number', 'string'], description: 'If value is the goods alone. Needs country.' },
      insurance: { type: ['number', 'string'], description: 'As freight.' },
      quantity: { type: ['number', 'string'], description: 'Where excise goes by litre, piece or gram. Needs country and unit.' },
      unit: { enum: [...TAX_UNITS], description: 'l (litres), u (pieces) or g (grams).' },
      sugar: { type: ['number', 'string'], description: 'Grams in 100 ml, for excise on drinks. Needs country.' },
    },
    required: ['code', 'value'],
    ask: estimateDuty,
  },
  {
    name: 'hs_edition',
    title: 'What an HS code of another edition is',
    description:
      'Tells what a 6-digit code of HS 2017, 2012, 2007, 2002 or 1996 is in HS 2022: same, moved (one other) or split (several, the ' +
      'likeliest first). With "2028" it takes a code of HS 2022 and tells what it becomes in HS 2028, which is provisional: say so. ' +
      'Use it when the user says that a code is old, or a document is from before 2022. Where it is split, ask what the goods are.',
    properties: {
      edition: { type: 'string', description: '"2017", "2012", "2007", "2002", "1996", or "2028".' },
      code: { type: 'string', description: 'Six digits, no dots.' },
      language,
    },
    required: ['edition', 'code'],
    ask: showEdition,
  },
]
