/** Schemas of classified texts. */
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

export const LEVEL = 'Digits of the candidates; a code that has none that long below it stands for itself'
export const LIMIT = 'How many candidates at most'
export const VERIFIED_CODE = 'A code to verify against the text'

export const SKU = "The product's own number: finds a decision of HSAPI_DECISIONS"
export const GTIN = 'A GTIN with its check digit: finds a decision of HSAPI_DECISIONS'

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
      // defaults are stated in words: code generators make a field with a `default` required
      level: { ...levelSchema, description: `${LEVEL}; ${limits.CLASSIFY_LEVEL_DEFAULT} where absent` },
      limit: {
        ...integer(1, limits.CLASSIFY_LIMIT_MAX),
        description: `${LIMIT}; ${limits.CLASSIFY_LIMIT_DEFAULT} where absent`,
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
      within: { anyOf: [withinCode, withinList], description: 'Only codes at or below this one, or one of these' },
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
    score: { ...number(0, 1), description: 'How likely the code is right; at most three decimals' },
    matched: { type: 'array', items: string, description: 'Words of the text that support the code' },
  }),
  ClassifyQuestion: object({
    text: ref('Description'),
    answers: { type: 'array', minItems: 2, items: ref('ClassifyAnswer') },
  }),
  ClassifyAnswer: object({
    text: ref('Description'),
    within: { ...withinList, description: 'The codes that the answer leaves: send them as within' },
  }),
  Verdict: object({
    status: {
      type: 'string',
      enum: ['agrees', 'doubtful', 'contradicts'],
      description:
        'agrees: nothing speaks against the code. doubtful: others fit better. contradicts: it is not among those that fit',
    },
    against: candidates('Better candidates, best first'),
  }),
  Decision: object({
    code: { ...code, description: 'As decided' },
    country: { ...stringOrNull, description: 'Null for a decision for all countries' },
    who: string,
    day: { type: 'string', format: 'date' },
    why: string,
    problem: {
      type: ['string', 'null'],
      enum: ['old_edition', 'unknown_code', 'prohibited', null],
      description:
        'Why the decision no longer fits: the code is of an earlier edition, and the first candidates are what it became; no edition ' +
        'has it; its import is prohibited. Null if it fits',
    },
  }),
  Classified: object(
    {
      text: { type: 'string', description: 'As sent' },
      status: {
        type: 'string',
        enum: ['clear', 'choose', 'ask', 'unknown', 'decided'],
        description:
          'clear: the first candidate is safe to propose. choose: one of the candidates. ask: a fact is missing, see question. ' +
          'unknown: nothing is known of it, and candidates, if any, are guesses. decided: the company has decided, see decision; its code is ' +
          'the first candidate',
      },
      candidates: candidates('Best first'),
      question: orNull('ClassifyQuestion', 'What decides between the candidates; null unless the status is ask'),
      verdict: orNull('Verdict', 'Whether text and hs_code agree; null where no code was sent'),
      missing: {
        ...ref('Description'),
        description: 'The fact that is needed; only where the text names no goods ("parts", "gift")',
      },
      decision: { ...ref('Decision'), description: 'Only with the status decided' },
    },
    ['missing', 'decision'],
  ),
  Classification: object({
    items: { ...list(ref('Classified'), limits.CLASSIFY_ITEMS_MAX, 1), description: 'One for each item, in order' },
  }),
}
