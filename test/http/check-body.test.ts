import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { schemas } from '../../src/contract/schema.js'
import { checkBody } from '../../src/http/check-body.js'
import { Refusal } from '../../src/questions/refusal.js'
import { openService, testOnEngines } from '../support/service.js'

const RESOLVE = '/api/v1/resolve'
const TARIFF = '/api/v1/tariff/calculate'
const SEARCH = '/api/v1/search'
const CLASSIFY = '/api/v1/classify'

const ITEM = { hs_code: '852321', value: 1 }

/** Refused bodies, the field in the error, and the message about it. */
const REFUSED: [path: string, body: unknown, parameter: string, rule: string][] = [
  [RESOLVE, [], 'body', 'must be an object with codes'],
  [RESOLVE, {}, 'codes', 'must be a list of 1 to 1000 strings'],
  [RESOLVE, { codes: [] }, 'codes', 'must be a list of 1 to 1000 strings'],
  [RESOLVE, { codes: ['0902', 902] }, 'codes[1]', 'must be a string: a number loses its leading zeros'],
  [RESOLVE, { codes: ['0902', null] }, 'codes[1]', 'must be a string'],
  [RESOLVE, { codes: ['0902'], edition: true }, 'edition', 'must be a string or a whole number'],
  [RESOLVE, { codes: ['0902'], country: 5 }, 'country', 'must be a string, such as "AE"'],
  [RESOLVE, { codes: ['0902'], as_of: [] }, 'as_of', 'must be a string'],
  [RESOLVE, { code: ['0902'] }, 'code', 'is unknown; did you mean codes?'],
  [TARIFF, null, 'body', 'must be an object with items'],
  [TARIFF, { items: [ITEM, 1] }, 'items[1]', 'must be an object with hs_code and value'],
  [TARIFF, { items: [ITEM, { value: 1 }] }, 'items[1].hs_code', 'must be a string'],
  [TARIFF, { items: [{ ...ITEM, value: true }] }, 'items[0].value', 'must be a number or a string'],
  [TARIFF, { country: 'SA', items: [ITEM, { ...ITEM, sugar: {} }] }, 'items[1].sugar', 'must be a number or a string'],
  [TARIFF, { items: [ITEM, { ...ITEM, sugr: 1 }] }, 'items[1].sugr', 'is unknown; did you mean sugar?'],
  [TARIFF, { items: {} }, 'items', 'must be a list of 1 to 100 objects with hs_code and value'],
  [TARIFF, { items: [ITEM], include_vat: 'yes' }, 'include_vat', 'must be true or false'],
  [TARIFF, { items: [ITEM], vat_rate: 101 }, 'vat_rate', 'must be a number from 0 to 100'],
  [TARIFF, { items: [ITEM], include: 'exact' }, 'include', 'must be a list of strings'],
  [TARIFF, { items: [ITEM], include: ['exact', 'path'] }, 'include[1]', 'must be "exact"'],
  [SEARCH, { queries: [{ q: 'tea' }, {}] }, 'queries[1].q', 'must be a string'],
  [SEARCH, { queries: ['tea'] }, 'queries[0]', 'must be an object with q'],
  [SEARCH, { queries: [{ q: 'tea', levl: 6 }] }, 'queries[0].levl', 'is unknown; did you mean level?'],
  [SEARCH, { queries: [{ q: 'tea' }], facets: ['level', 'colour'] }, 'facets[1]', 'must be chapter, level or rate'],
  [CLASSIFY, { items: [{ text: 'tea' }, { text: 5 }] }, 'items[1].text', 'must be a string: a number loses its leading zeros'],
  [CLASSIFY, { items: [{ text: 'tea', within: [] }] }, 'items[0].within', 'must be a string or a list of 1 to 20 strings'],
  [CLASSIFY, { items: [{ text: 'tea' }], level: 5 }, 'level', 'must be 4, 6, 8 or 12'],
  [CLASSIFY, { items: [{ text: 'tea' }], limit: 1.5 }, 'limit', 'must be a whole number from 1 to 20'],
]

testOnEngines('the refusal of a body names the field by its path and says what was expected there', async t => {
  const { post, auth } = await openService(t)
  for (const [path, body, parameter, rule] of REFUSED) {
    const { status, body: answer } = await post(path, JSON.stringify(body), auth)
    t.equal(status, 400, JSON.stringify(body))
    t.equal(answer.error.code, 'invalid_parameter')
    t.equal(answer.error.details.parameter, parameter)
    t.equal(answer.error.message, `The parameter ${parameter} ${rule}${rule.endsWith('?') ? '' : '.'}`)
  }
})

// biome-ignore lint/suspicious/noExplicitAny: JSON
type Json = any

/** Rules that src/questions checks, because they depend on the dataset. */
const LEFT_TO_QUESTIONS = new Set(['pattern', 'format', 'minLength', 'maxLength'])

const VALID = {
  ResolveRequest: { codes: ['0902', '85'], edition: '2017', country: 'SA', as_of: '2026-03-01' },
  InvoiceRequest: {
    currency: 'AED',
    include_vat: true,
    vat_rate: 5,
    origin: 'CN',
    include: ['exact'],
    items: [{ hs_code: '0902', value: 1, freight: '2', unit: 'l', quantity: 3, sugar: 4 }],
  },
  SearchesRequest: { queries: [{ q: 'tea', level: 6, rate: 5, limit: 5, offset: 0 }], include: ['path'], facets: ['level'] },
  ClassifyRequest: {
    items: [
      { text: 'tea', within: ['09'], hs_code: '0902' },
      { text: 'tea', within: '09' },
    ],
    level: 6,
    limit: 5,
  },
}

/** Returns the value with one part replaced or, for an object, added. The part may be the whole value. */
function withChange(value: Json, other: Json, chooseOne: (count: number) => number): Json {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const at = chooseOne(names.length + 2)
  if (at >= names.length)
    return at === names.length && names.length > 0 && !Array.isArray(value) ? { ...value, more: other } : other
  const name = names[at] as string
  const part = withChange(value[name], other, chooseOne)
  return Array.isArray(value) ? value.map((one, i) => (String(i) === name ? part : one)) : { ...value, [name]: part }
}

t.test('a body is refused exactly if a JSON Schema validator refuses it', async t => {
  const plain = JSON.parse(JSON.stringify(schemas), function (this: Json, name, part) {
    return LEFT_TO_QUESTIONS.has(name) && typeof part !== 'object' ? undefined : part
  })
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'contract', components: { schemas: plain } })
  const part = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', 'exact', 'level', 0, -1, 4, 6, 20, 21, 1.5, 101, null, [], ['09'], {}),
  )
  for (const name of Object.keys(VALID) as (keyof typeof VALID)[]) {
    const valid = VALID[name]
    const isValid = ajv.compile({ $ref: `contract#/components/schemas/${name}` })
    t.notOk(checkBody(name, valid) instanceof Refusal, name)
    fc.assert(
      fc.property(part, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (other, choices) => {
        const body = withChange(valid, other, count => (choices.shift() ?? 0) % count)
        return checkBody(name, body) instanceof Refusal === !isValid(body)
      }),
      { numRuns: 500 },
    )
  }
})
