/** Tool descriptions for the model: when to use which tool, and how to use the answer. */
import type { Catalog } from '../catalog/catalog.js'
import * as limits from '../limits.js'
import { TAX_UNITS } from '../snapshot/country-format.js'
import type { Answer, ListAnswer } from './answer.js'
import type { ArgumentSchema } from './arguments.js'
import { classifyGoods, verifyCodes } from './classify.js'
import { showCode } from './code.js'
import { resolveCodes } from './codes.js'
import { compareCodes } from './compare.js'
import { estimateDuty } from './duty.js'
import { showEdition } from './editions.js'
import type { OUTPUTS } from './output.js'
import { amount, code, codes, country, language } from './parameters.js'
import { findCodes } from './search.js'

export interface Tool {
  name: keyof typeof OUTPUTS
  title: string
  description: string
  properties: Record<string, ArgumentSchema>
  required: readonly string[]
  /** The arguments were already checked against the schema above. */
  ask(catalog: Catalog, args: never): Answer | ListAnswer
}

export const INSTRUCTIONS =
  'HS (customs tariff) codes of HS 2022 with GCC lines, in English and Arabic, with indicative duty rates. ' +
  'From goods to a code: classify_goods; then get_hs_code for its notes and the line to declare. ' +
  'A code and goods: verify_hs_code. Codes that the user already has: resolve_hs_codes. ' +
  'Name only codes that a tool returned. Ask the user only questions that a tool returned and that are still unanswered. ' +
  'Say that rates are indicative and must be verified with the customs authority. ' +
  'The resource hsapi://how-to-classify has the method, hsapi://notes/rules the general rules.'

const text = {
  type: 'string',
  minLength: limits.CLASSIFY_CHARS_MIN,
  maxLength: limits.CLASSIFY_CHARS_MAX,
  description: 'What the goods are: a title or invoice text, English or Arabic, with material and use if known.',
}

export const TOOLS: readonly Tool[] = [
  {
    name: 'classify_goods',
    title: 'Classify goods',
    description:
      'Proposes HS codes for goods described in words, with the words that support each. Use it first when the user names goods and wants a code. ' +
      'status clear: propose the first; choose: one of the candidates is right; ask: the answer to the question decides; unknown: describe ' +
      'the goods in other words; decided: the company decided on the first. To answer a question, call again with the same text and the `within` of the chosen answer.',
    properties: {
      texts: { type: 'array', items: text, minItems: 1, maxItems: limits.AGENT_ITEMS_MAX },
      within: {
        anyOf: [code, codes(1, limits.CLASSIFY_WITHIN_MAX)],
        description: 'Only codes at or below these, such as the `within` of an answer.',
      },
      level: { enum: [...limits.CLASSIFY_LEVELS], description: 'Digits of the candidates; 6 by default, 12 for lines.' },
      country,
      language,
    },
    required: ['texts'],
    ask: classifyGoods,
  },
  {
    name: 'verify_hs_code',
    title: 'Check a code against its goods',
    description:
      'Checks whether a code fits a text: agrees, doubtful or contradicts, with other codes and how likely each is. Use it for codes on invoices, and before ' +
      'you give a final answer. Send text and code, or a list as items.',
    properties: {
      text,
      code,
      items: {
        type: 'array',
        items: { type: 'object', properties: { text, code }, required: ['text', 'code'], additionalProperties: false },
        minItems: 1,
        maxItems: limits.AGENT_ITEMS_MAX,
      },
      country,
      language,
    },
    required: [],
    ask: verifyCodes,
  },
  {
    name: 'compare_hs_codes',
    title: 'What distinguishes codes',
    description:
      'Compares 2 to 6 codes: words, rates, units, and the question that decides between them. Use it when several codes fit.',
    properties: { codes: codes(limits.AGENT_COMPARE_MIN, limits.AGENT_COMPARE_MAX), country, language },
    required: ['codes'],
    ask: compareCodes,
  },
  {
    name: 'get_hs_code',
    title: 'Show an HS code',
    description:
      'Shows one code in full: words, codes above, codes below with their lines, duty rate and its source, unit of quantity, controls, ' +
      'legal notes that affect it (which goods it excludes and where they go, what words mean), and goods that belong elsewhere (see_also). ' +
      'Use it to check or explain a code and to find the line that goods are declared on. ' +
      'If a note or see_also names the goods of the user, go to the code that it names. ' +
      'Pass on the controls: an empty list does not mean that there are no controls.',
    properties: {
      code,
      children_limit: {
        type: 'integer',
        minimum: 1,
        maximum: limits.AGENT_CHILDREN_MAX,
        description: `Maximum number of codes below; default ${limits.AGENT_CHILDREN_DEFAULT}.`,
      },
      country,
      language,
    },
    required: ['code'],
    ask: showCode,
  },
  {
    name: 'search_hs_codes',
    title: 'Search HS codes by words',
    description:
      'Finds codes by words or first digits, the best first. Use it to explore the nomenclature, or when classify_goods does not ' +
      'know the goods. Give the name of the goods alone ("men\'s cotton shirts, knitted"), not a sentence.',
    properties: {
      query: {
        type: 'string',
        minLength: limits.QUERY_CHARS_MIN,
        maxLength: limits.QUERY_CHARS_MAX,
        description: 'English, Arabic or both; or the first digits of a code.',
      },
      level: { enum: [...limits.LEVELS], description: 'Only codes with this number of digits; 6 for subheadings.' },
      within: { ...code, description: 'Only codes at or below this code of 2, 4 or 6 digits.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: limits.AGENT_RESULTS_MAX,
        description: `Maximum number of results; default ${limits.AGENT_RESULTS_DEFAULT}.`,
      },
      country,
      language,
    },
    required: ['query'],
    ask: findCodes,
  },
  {
    name: 'resolve_hs_codes',
    title: 'Read HS codes as written',
    description:
      'Reads codes from a person, an invoice or a spreadsheet: found, normalised, moved, ambiguous, unknown or invalid. ' +
      'Use it for one or many given codes, not for words. For an ambiguous code show the candidates; never choose silently.',
    properties: {
      codes: codes(1, limits.AGENT_CODES_MAX),
      edition: {
        type: ['string', 'integer'],
        description: 'Year of the edition that the codes are from: 2022 (default), 2017, 2012, 2007, 2002 or 1996.',
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
      'Estimates duty, VAT if asked for, and landed cost of goods of one code and CIF value, in exact decimals. ' +
      'With country, one of the six Gulf states, or countries: national rates, excise, fees and VAT, each with source and certainty. ' +
      'Use it only with a code that the user confirmed or a tool returned. Amounts are in currency as sent; only fees and excise ' +
      "set in a country's money are converted to it, at a fixed rate. " +
      'Pass on the warnings, above all that an import is prohibited, and say that rates are indicative.',
    properties: {
      code,
      value: amount('CIF value, 0.01 or more, without separators.'),
      currency: { type: 'string', description: `Three letters; default ${limits.CURRENCY_DEFAULT}.` },
      include_vat: { type: 'boolean', description: 'Whether to add VAT; by default only if vat_rate or country is given.' },
      vat_rate: {
        type: 'number',
        minimum: 0,
        maximum: limits.VAT_RATE_MAX,
        description: 'VAT rate in percent, instead of the usual rate. It does not change the duty; for that, send country.',
      },
      country: { ...country, description: 'Where the goods are imported.' },
      countries: {
        type: 'array',
        items: { enum: country.enum },
        minItems: 1,
        maxItems: country.enum.length,
        description: 'Instead of country, to compare several countries.',
      },
      convert: { type: 'boolean', description: "Whether to add the totals in the country's own currency. Needs country." },
      as_of: { type: 'string', description: "A day such as 2026-03-01: uses the country's list of that time. Needs country." },
      origin: { type: 'string', description: 'ISO code of the country of origin, for agreements. Needs country.' },
      freight: amount('Freight, only if value is the value of the goods alone. Needs country.'),
      insurance: amount('On the same conditions as freight.'),
      quantity: amount('For excise by litre, piece or gram. Needs country and unit.'),
      unit: { enum: [...TAX_UNITS], description: 'l (litres), u (pieces) or g (grams).' },
      sugar: amount('Grams of sugar per 100 ml, for excise on drinks. Needs country.'),
    },
    required: ['code', 'value'],
    ask: estimateDuty,
  },
  {
    name: 'hs_edition',
    title: 'Convert an HS code between editions',
    description:
      'Converts a 6-digit code of HS 2017, 2012, 2007, 2002 or 1996 to HS 2022: same, moved (one other code) or split (several codes, ' +
      'likeliest first). With 2028, it converts a code of HS 2022 to HS 2028; this is provisional: say so. ' +
      'Use it when a code or document is from before 2022. If a code is split, choose by the goods.',
    properties: {
      edition: { type: ['string', 'integer'], description: '2017, 2012, 2007, 2002, 1996, or 2028.' },
      code: { type: ['string', 'integer'], description: 'Six digits, no dots.' },
      language,
    },
    required: ['edition', 'code'],
    ask: showEdition,
  },
]
