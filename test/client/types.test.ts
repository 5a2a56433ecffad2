/** The hand-written types and the OpenAPI document say the same: the compiler finds no difference either way. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { OPENAPI } from '../../src/contract/openapi.js'
import { typeErrors } from '../support/type-errors.js'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

const CLIENT_TYPES = fileURLToPath(new URL('../../src/answers/shapes.js', import.meta.url))
const SCHEMAS = (OPENAPI as Json).components.schemas

/** A schema as TypeScript writes it. */
function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((one: unknown) => JSON.stringify(one)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `readonly (${typeOf(schema.items)})[]`
  if (schema.type === 'integer') return 'number'
  if (schema.type !== 'object') return schema.type
  if (schema.properties === undefined) return `{ readonly [name: string]: ${typeOf(schema.additionalProperties)} }`
  const fields = Object.entries<Json>(schema.properties).map(([name, field]) => {
    const isOptional = !(schema.required ?? []).includes(name)
    return `readonly ${name}${isOptional ? '?' : ''}: ${typeOf(field)}`
  })
  return `{ ${fields.join('; ')} }`
}

/** What the client calls a schema, or a part of one. */
const PAIRS: Record<string, string> = {
  Description: "Schemas['Description']",
  HsRecord: "Schemas['Record']",
  'HsRecord & Partial<Extras>': "Schemas['IncludingRecord']",
  PathStep: "Schemas['PathStep']",
  'HsRecord & Partial<LookupExtras>': "Schemas['LookupRecord']",
  'SearchItem & Partial<SearchExtras>': "Schemas['SearchItem']",
  Unit: "Schemas['Unit']",
  Controls: "Schemas['Controls']",
  Control: "Schemas['Control']",
  Note: "Schemas['Note']",
  ScopeNotes: "Schemas['ScopeNotes']",
  'CutList<Note>': "Schemas['NoteList']",
  'CutList<Pointer>': "Schemas['PointerList']",
  Pointer: "Schemas['Pointer']",
  Name: "Schemas['Name']",
  'Partial<Facets>': "Schemas['Facets']",
  SearchQuery: "Schemas['SearchQuery']",
  SearchRefusal: "Schemas['SearchRefusal']",
  Suggestion: "Schemas['Suggestion']",
  Section: "Schemas['Section']",
  Resolved: "Schemas['Resolved']",
  Classified: "Schemas['Classified']",
  Classification: "Schemas['Classification']",
  ClassifyItem: "Schemas['ClassifyItem']",
  Candidate: "Schemas['Candidate']",
  ClassifyQuestion: "Schemas['ClassifyQuestion']",
  Verdict: "Schemas['Verdict']",
  Correlation: "Schemas['Correlation']",
  NextCorrelation: "Schemas['NextCorrelation']",
  NextTarget: "Schemas['NextTarget']",
  Dataset: "Schemas['Dataset']",
  DatasetChange: "Schemas['DatasetChange']",
  Health: "Schemas['Health']",
  TariffEstimate: "Schemas['Tariff']",
  InvoiceItemError: "Schemas['InvoiceItemError']",
  Invoice: "Schemas['Invoice']",
  ErrorCode: "Schemas['ErrorResponse']['error']['code']",
  ErrorDetails: "NonNullable<Schemas['ErrorResponse']['error']['details']>",
  ShipmentItem: "Schemas['InvoiceRequest']['items'][number]",
  CountryEstimate: "Schemas['CountryEstimate']",
  CountryInvoice: "Schemas['CountryInvoice']",
  Charge: "Schemas['Charge']",
  OriginAnswer: "Schemas['Origin']",
  Threshold: "Schemas['Threshold']",
  CostAmounts: "Schemas['CostAmounts']",
}

const OPTIONS = {
  target: 'es2023',
  lib: ['es5'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
}

const PREAMBLE = `
import type * as client from '${CLIENT_TYPES}'
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : false
type Schemas = {
${Object.entries(SCHEMAS)
  .map(([name, schema]) => `  ${name}: ${typeOf(schema)}`)
  .join('\n')}
}
`

const own = (type: string) => type.replace(/\b[A-Z]\w+/g, name => (name === 'Partial' ? name : `client.${name}`))

t.test('each type of the client is the one that the contract writes', async t => {
  const checks = Object.entries(PAIRS).map(
    ([mine, theirs], i) => `export const check${i}: Same<${own(mine)}, ${theirs}> = true // ${mine}`,
  )
  t.strictSame(await typeErrors(t, OPTIONS, { source: [PREAMBLE, ...checks].join('\n') }), [])
})

t.test('and a difference would be seen', async t => {
  const wrong = [
    `Same<client.HsRecord, Schemas['Record'] & { more: string }>`,
    `Same<client.ErrorCode, 'not_found'>`,
    `Same<client.Resolved, Schemas['Invoice']>`,
    `Same<client.ErrorDetails, Required<client.ErrorDetails>>`,
  ].map((check, i) => `export const check${i}: ${check} = true`)
  const errors = await typeErrors(t, OPTIONS, { source: [PREAMBLE, ...wrong].join('\n') })
  t.equal(errors.length, wrong.length)
})
