import * as limits from '../limits.js'
import { AS_OF, COUNTRY, countrySchema, daySchema } from './country-parameters.js'
import {
  code,
  codePattern,
  integer,
  type Json,
  list,
  number,
  object,
  patterned,
  percentage,
  ref,
  string,
  stringOrNull,
  text,
} from './schema-parts.js'

export const LEVEL =
  'Number of digits of the candidates; if there is no code of that length below a code, the code itself is a candidate'
export const LIMIT = 'Maximum number of candidates'
export const VERIFIED_CODE = 'A code to verify against the text'

export const SKU = "The product's SKU; finds a decision in the file of HSAPI_DECISIONS"
export const GTIN = 'A GTIN with its check digit; finds a decision in the file of HSAPI_DECISIONS'

export const levelSchema: Json = { type: 'integer', enum: limits.CLASSIFY_LEVELS }
export const titleSchema = text(limits.CLASSIFY_CHARS_MIN, limits.CLASSIFY_CHARS_MAX)

const withinCode = patterned(codePattern(limits.PARENT_DIGITS_MAX))
export const withinList = list(withinCode, limits.CLASSIFY_WITHIN_MAX, 1)

const candidates = (description: string): Json => ({ ...list(ref('Candidate'), limits.CLASSIFY_LIMIT_MAX), description })
const orNull = (name: string, description: string): Json => ({ anyOf: [ref(name), { type: 'null' }], description })

export const CLASSIFY_SCHEMAS: Record<string, Json> = {
  ClassifyRequest: {
    type: 'object',
    description: `At most ${limits.CLASSIFY_BODY_BYTES_MAX} bytes`,
    properties: {
      items: list(ref('ClassifyItem'), limits.CLASSIFY_ITEMS_MAX, 1),
      // defaults are stated in words, because code generators make a field with a `default` required
      level: { ...levelSchema, description: `${LEVEL}; default ${limits.CLASSIFY_LEVEL_DEFAULT}` },
      limit: {
        ...integer(1, limits.CLASSIFY_LIMIT_MAX),
        description: `${LIMIT}; default ${limits.CLASSIFY_LIMIT_DEFAULT}`,
      },
      country: { ...countrySchema, description: COUNTRY },
      as_of: { ...daySchema, description: AS_OF },
    },
    required: ['items'],
    additionalProperties: false,
    examples: [{ items: [{ text: 'SS304 seamless pipe sch40 2in' }], level: 6, limit: 3 }],
  },
  ClassifyItem: {
    type: 'object',
    properties: {
      text: { ...titleSchema, description: 'A product title, English or Arabic' },
      within: {
        anyOf: [withinCode, withinList],
        description: 'Only codes at or below this code, or at or below one of these codes',
      },
      hs_code: { ...code, description: VERIFIED_CODE },
      sku: { ...text(0, 100), description: SKU },
      gtin: { type: 'string', description: GTIN },
    },
    required: ['text'],
    additionalProperties: false,
  },
  Candidate: object({
    hs_code: code,
    description: ref('Description'),
    level: { ...integer(limits.CODE_DIGITS_MIN, limits.CODE_DIGITS_MAX), description: 'Number of digits' },
    tariff_rate: percentage,
    score: { ...number(0, 1), description: 'The probability that the code is right; at most three decimals' },
    matched: { type: 'array', items: string, description: 'Words of the text that support the code' },
  }),
  ClassifyQuestion: object({
    text: ref('Description'),
    answers: { type: 'array', minItems: 2, items: ref('ClassifyAnswer') },
  }),
  ClassifyAnswer: object({
    text: ref('Description'),
    within: { ...withinList, description: 'The codes that remain after this answer: send them as within' },
  }),
  Verdict: object({
    status: {
      type: 'string',
      enum: ['agrees', 'doubtful', 'contradicts'],
      description:
        'agrees: the text supports the code. doubtful: other codes fit better. contradicts: the code does not fit the text',
    },
    against: candidates('Better candidates, best first'),
  }),
  Decision: object({
    code: { ...code, description: 'The decided code' },
    country: { ...stringOrNull, description: 'Null for a decision for all countries' },
    who: string,
    day: { type: 'string', format: 'date' },
    why: string,
    problem: {
      type: ['string', 'null'],
      enum: ['old_edition', 'unknown_code', 'prohibited', null],
      description:
        'Why the decision no longer applies. old_edition: the code is of an earlier edition, and the first candidates are the codes ' +
        'that replaced it. unknown_code: no edition has the code. prohibited: the import of its goods is prohibited. Null if the ' +
        'decision applies',
    },
  }),
  Classified: object(
    {
      text: { type: 'string', description: 'The text as sent' },
      status: {
        type: 'string',
        enum: ['clear', 'choose', 'ask', 'unknown', 'decided'],
        description:
          'clear: the first candidate is safe to propose. choose: the right code is one of the candidates. ask: a fact is missing; question asks for it. ' +
          'unknown: no code was found, and candidates, if any, are guesses. decided: the company has decided on a code, which is ' +
          'the first candidate; see decision',
      },
      candidates: candidates('Best first'),
      question: orNull('ClassifyQuestion', 'The question that decides between the candidates; null unless the status is ask'),
      verdict: orNull('Verdict', 'Whether text and hs_code agree; null if no code was sent'),
      missing: {
        ...ref('Description'),
        description: 'The missing fact. Present only if the text, such as "parts" or "gift", does not name goods',
      },
      decision: { ...ref('Decision'), description: 'Only with status decided' },
    },
    ['missing', 'decision'],
  ),
  Classification: object({
    items: { ...list(ref('Classified'), limits.CLASSIFY_ITEMS_MAX, 1), description: 'One result for each item, in order' },
  }),
}
