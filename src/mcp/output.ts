/** The structured content of each tool, as JSON Schema for programs. A refusal has `error` instead. */

type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>

const string: Schema = { type: 'string' }
const number: Schema = { type: 'number' }
const integer: Schema = { type: 'integer' }
const boolean: Schema = { type: 'boolean' }
const stringOrNull: Schema = { type: ['string', 'null'] }
const list = (items: Schema): Schema => ({ type: 'array', items })
/** Decimals are exact, so they are text. They have no description, because hosts show the schemas to the model. */
const decimal = string
const percent = string

/** `optional` fields may be absent; the others are always present. */
const object = (required: Properties, optional: Properties = {}): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
})

const code = { hs_code: string, description: string }
const inArabic = { description_ar: string }

const question = object({ text: string, answers: list(object({ text: string, within: list(string) })) })
const candidateFields = { ...code, duty_percent: percent, score: number, matched: list(string) }
const candidate = object(candidateFields, inArabic)

const decision = object({
  code: string,
  country: stringOrNull,
  who: string,
  day: string,
  why: string,
  problem: { enum: ['old_edition', 'unknown_code', 'prohibited', null] },
})
const classified = object({ text: string, status: string, candidates: list(candidate) }, { question, missing: string, decision })

const pair = {
  text: string,
  verdict: { enum: ['agrees', 'doubtful', 'contradicts', 'unreadable'] },
}
const pairOptional = {
  ...code,
  ...inArabic,
  code: { type: 'string', description: 'The code as sent, if it cannot be read.' },
  reason: { type: 'string', description: 'Why the code cannot be read.' },
  against: list(object({ ...candidateFields, is_better: boolean }, inArabic)),
}

const charge = object(
  {
    kind: { enum: ['duty', 'excise', 'fee', 'vat'] },
    rate: { type: 'string', description: 'Percent of basis, an amount per unit, or flat.' },
    basis: decimal,
    amount: decimal,
    certainty: stringOrNull,
    source: stringOrNull,
  },
  { name: string, minimum: decimal, maximum: decimal },
)
const totals = { duties_and_taxes: decimal, landed_cost: decimal }
const error = object({ code: string, message: string })
/** An estimate without a country, an estimate for a country, or the refusal for one of several countries. */
const estimate: Properties = {
  ...code,
  warnings: list(string),
  currency: string,
  declared_value: decimal,
  duty_percent: percent,
  duty: decimal,
  vat_percent: percent,
  vat: decimal,
  ...totals,
  country: string,
  list: stringOrNull,
  customs_value: decimal,
  charges: list(charge),
  converted: object({ currency: string, rate: decimal, ...totals }),
  proof_of_origin: string,
  parcels: string,
  not_included: list(string),
}

export const OUTPUTS = {
  classify_goods: object({ items: list(classified) }),
  verify_hs_code: object({}, { ...pair, ...pairOptional, items: list(object(pair, pairOptional)) }),
  compare_hs_codes: object(
    { codes: list(object({ ...code, duty_percent: percent, unit: stringOrNull, lines: integer }, inArabic)) },
    { question, goods: list(object({ what: string, hs_code: string })) },
  ),
  get_hs_code: object(
    {
      ...code,
      is_active: boolean,
      declarable: boolean,
      path: list(object(code, inArabic)),
      duty: object(
        { percent, from: string, source: stringOrNull, certainty: stringOrNull, warnings: list(string) },
        { country: string, list: stringOrNull, status: string },
      ),
      unit: { anyOf: [object({ code: string, name: string, certainty: string }), { type: 'null' }] },
      controls: list(object({ scope: string, kind: string, authority: stringOrNull, reason: string, certainty: string })),
      controls_total: integer,
      notes: list(object({ number: string, kind: string, text: string, goes_to: list(string), certainty: string })),
      notes_total: integer,
      see_also: list(object({ what: string, ...code }, inArabic)),
      see_also_total: integer,
      children: list(object(code, { ...inArabic, duty_percent: percent, line: string })),
      children_total: integer,
      lines_total: integer,
    },
    { ...inArabic, line: { type: 'string', description: 'The line under which goods are declared, if there is only one.' } },
  ),
  search_hs_codes: object({ total: integer, results: list(object({ ...code, duty_percent: percent }, inArabic)) }, { question }),
  resolve_hs_codes: object({
    codes: list(
      object(
        { input: string, status: string, hs_code: stringOrNull },
        { description: string, ...inArabic, candidates: list(string), nearest: string, reason: string },
      ),
    ),
  }),
  estimate_duty: object({}, { ...estimate, estimates: list(object({}, { ...estimate, error })) }),
  hs_edition: object(
    {
      edition: string,
      code: string,
      relation: string,
      targets: list(object({ hs_code: string }, { description: string, ...inArabic, part: string, certainty: string })),
      targets_total: integer,
    },
    { provisional: boolean },
  ),
} as const
