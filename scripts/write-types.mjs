/** Writes src/contract/types.ts: the types of the contract's schemas, as plain interfaces. Compile the program first. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const LINE_WIDTH = 130

const contract = async name => import(new URL(`../dist/src/contract/${name}.js`, import.meta.url))
const { schemas } = await contract('schema')
const { included, includedInLookup, includedInSearch } = await contract('include-schemas')
const { shipmentItemFields } = await contract('shipment-schemas')
const { object } = await contract('schema-parts')
const { COUNTRY_CODES } = await import(new URL('../dist/src/snapshot/country-format.js', import.meta.url))
const limits = await import(new URL('../dist/src/limits.js', import.meta.url))

/** Generics in src/answers/shapes.ts replace these. */
const OTHERWISE = /Response$|Meta$|^Picked|^IncludingRecord$|^LookupRecord$|^SearchAnswer$/
/** Names of types. `Record` already is a type of TypeScript; the other names are those that programs import. */
const RENAMED = { Record: 'HsRecord', Tariff: 'TariffEstimate', Origin: 'OriginAnswer' }

const typeName = schema => RENAMED[schema] ?? schema
const part = (name, ...path) => path.reduce((schema, field) => schema.properties?.[field] ?? schema[field], schemas[name])

function without(schema, fields) {
  const own = Object.entries(schema.properties).filter(([name]) => !Object.hasOwn(fields, name))
  return object(Object.fromEntries(own))
}

/** Parts of schemas that have their own name in TypeScript. */
const PARTS = {
  Extras: object(included),
  LookupExtras: object(includedInLookup),
  SearchExtras: object(includedInSearch),
  SearchItem: without(schemas.SearchItem, includedInSearch),
  RateOrigin: included.rate,
  Examples: included.examples,
  ListedRecord: part('RecordPage', 'items', 'items'),
  Facets: { ...object(part('Facets', 'properties')), description: part('Facets', 'description') },
  ChapterCount: part('Facets', 'chapter', 'items'),
  LevelCount: part('Facets', 'level', 'items'),
  RateCount: part('Facets', 'rate', 'items'),
  ResolveStatus: part('Resolved', 'status'),
  ChangeKind: part('DatasetChange', 'kind'),
  Calculation: part('Tariff', 'calculation'),
  CountryCalculation: part('CountryEstimate', 'calculation'),
  Converted: part('CountryEstimate', 'converted'),
  ShipmentTerms: object(shipmentItemFields, Object.keys(shipmentItemFields)),
  ShipmentItem: part('InvoiceRequest', 'items', 'items'),
  InvoiceItem: without(part('InvoiceRequest', 'items', 'items'), shipmentItemFields),
  ErrorCode: part('ErrorResponse', 'error', 'code'),
  ErrorDetails: part('ErrorResponse', 'error', 'details'),
}

/** Lists of values, recognised by their array. */
const LISTS = {
  CountryCode: COUNTRY_CODES,
  Language: limits.LANGUAGES,
  Include: limits.INCLUDES,
  LookupInclude: limits.LOOKUP_INCLUDES,
  SearchInclude: limits.SEARCH_INCLUDES,
  ResultField: limits.RESULT_FIELDS,
  RecordField: limits.RECORD_FIELDS,
  Facet: limits.FACETS,
}

const named = {
  ...Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => (OTHERWISE.test(name) ? [] : [[typeName(name), schema]])),
  ),
  ...PARTS,
  ...Object.fromEntries(Object.entries(LISTS).map(([name, values]) => [name, { enum: values }])),
}
const nameOf = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))
const nameOfList = new Map(Object.entries(LISTS).map(([name, values]) => [values, name]))

const literal = value => (typeof value === 'string' ? `'${value}'` : String(value))

function typeOf(schema, indent) {
  const name = nameOf.get(schema) ?? nameOfList.get(schema.enum)
  return name ?? structureOf(schema, indent)
}

function structureOf(schema, indent) {
  const { $ref, anyOf, enum: values, type, items, properties, additionalProperties } = schema
  if ($ref !== undefined) return typeName($ref.split('/').at(-1))
  if (anyOf !== undefined) return anyOf.map(one => typeOf(one, indent)).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (values !== undefined) return values.map(literal).join(' | ')
  if (Array.isArray(type)) return type.map(one => structureOf({ ...schema, type: one }, indent)).join(' | ')
  if (type === 'array') return arrayOf(typeOf(items, indent))
  if (type === 'integer') return 'number'
  if (type !== 'object') return type
  if (properties === undefined) return `{ readonly [name: string]: ${typeOf(additionalProperties, indent)} }`
  return fieldsOf(schema, indent)
}

const arrayOf = item => (/ \| (?![^{]*\})/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`)

function fieldsOf({ properties, required = [] }, indent) {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, field]) => {
    const head = `${inner}readonly ${name}${required.includes(name) ? '' : '?'}:`
    return [...comment(field, inner), broken(head, typeOf(field, inner), inner)]
  })
  return ['{', ...lines, `${indent}}`].join('\n')
}

/** Puts each member of a union that is too long for a line on its own line. */
function broken(head, type, indent) {
  if (type.includes('\n') || head.length + 1 + type.length <= LINE_WIDTH) return `${head} ${type}`
  return [head, ...type.split(' | ').map(member => `${indent}  | ${member}`)].join('\n')
}

const range = (low, high, what) => (low === undefined || high === undefined ? [] : [`${low} to ${high}${what}`])

function comment(schema, indent) {
  const { description, minLength, maxLength, minimum, maximum } = schema
  const bound = nameOf.has(schema) ? [] : [...range(minLength, maxLength, ' characters'), ...range(minimum, maximum, '')]
  const text = [...(description === undefined ? [] : [description]), ...bound].join('; ')
  if (text === '') return []
  const lines = wrapped(text, LINE_WIDTH - indent.length - 3)
  if (lines.length === 1 && lines[0].length <= LINE_WIDTH - indent.length - 7) return [`${indent}/** ${lines[0]} */`]
  return [`${indent}/**`, ...lines.map(line => `${indent} * ${line}`), `${indent} */`]
}

function wrapped(text, width) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
    if (line.length <= width) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines
}

export function typesSource() {
  const declarations = Object.entries(named).map(([name, schema]) => {
    const type = structureOf(schema, '')
    const declared = type.startsWith('{') ? `export interface ${name} ${type}` : broken(`export type ${name} =`, type, '')
    return [...comment({ description: schema.description }, ''), declared].join('\n')
  })
  const head = '/** Generated from the schemas of the contract by scripts/write-types.mjs; do not edit. */'
  return `${[head, ...declarations].join('\n\n')}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(fileURLToPath(new URL('../src/contract/types.ts', import.meta.url)), typesSource())
