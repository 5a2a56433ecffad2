/**
 * Checks a body against its schema in the contract: names, types, lengths of lists, enumerated values and ranges. src/questions
 * checks whether a text is a valid code, day or country.
 */
import { schemas } from '../contract/schema.js'
import type { ClassifyRequest, InvoiceRequest, ResolveRequest, SearchesRequest } from '../contract/types.js'
import { invalidParameter, type Refusal, refuseUnknown } from '../questions/refusal.js'
import { oneOf } from '../questions/wording.js'

interface Schema {
  $ref?: string
  anyOf?: readonly Schema[]
  type?: string | readonly string[]
  enum?: readonly (string | number)[]
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  examples?: readonly unknown[]
}

/**
 * What is checked in the items of a list. `values`: everything. `types`: everything except enumerated values and ranges.
 * `required`: only names and the types of required fields. The caller checks the rest, so that it can refuse a wrong item
 * without refusing the whole body.
 */
type Depth = 'values' | 'types' | 'required'

interface Bodies {
  ClassifyRequest: ClassifyRequest
  InvoiceRequest: InvoiceRequest
  ResolveRequest: ResolveRequest
  SearchesRequest: SearchesRequest
}

/** Returns the typed body, or its refusal. `items`: how strictly the items of a list are checked, by the name of the list. */
export function checkBody<Name extends keyof Bodies>(
  name: Name,
  body: unknown,
  items: Readonly<Record<string, Depth>> = {},
): Bodies[Name] | Refusal {
  return problemOf(schemas[name], body, '', 'values', items) ?? (body as Bodies[Name])
}

const resolveRef = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]

function problemOf(
  sent: Schema,
  value: unknown,
  at: string,
  depth: Depth,
  depthOfItems: Readonly<Record<string, Depth>>,
): Refusal | undefined {
  const schema = resolveRef(sent)
  const { anyOf, items, properties } = schema
  if (anyOf !== undefined) {
    const isMatch = anyOf.some(one => problemOf(one, value, at, depth, depthOfItems) === undefined)
    return isMatch ? undefined : refused(schema, value, at)
  }
  if (!hasType(schema, value) || (depth === 'values' && !isAllowed(schema, value))) return refused(schema, value, at)
  if (items !== undefined && Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const problem = problemOf(items, item, `${at}[${i}]`, depthOfItems[at] ?? depth, depthOfItems)
      if (problem !== undefined) return problem
    }
  }
  return properties === undefined ? undefined : problemOfFields(schema, value as Record<string, unknown>, at, depth, depthOfItems)
}

function problemOfFields(
  { properties = {}, required = [] }: Schema,
  sent: Readonly<Record<string, unknown>>,
  at: string,
  depth: Depth,
  depthOfItems: Readonly<Record<string, Depth>>,
): Refusal | undefined {
  const prefix = at === '' ? '' : `${at}.`
  const unknown = refuseUnknown(sent, Object.keys(properties), prefix)
  if (unknown !== undefined) return unknown
  for (const [name, field] of Object.entries(properties)) {
    const isChecked = required.includes(name) || (sent[name] !== undefined && depth !== 'required')
    const problem = isChecked ? problemOf(field, sent[name], prefix + name, depth, depthOfItems) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  number: value => typeof value === 'number',
  integer: Number.isInteger,
  array: Array.isArray,
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
}

function hasType({ type = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema, value: unknown): boolean {
  if (Array.isArray(value) && (value.length < minItems || value.length > maxItems)) return false
  return [type].flat().some(one => TYPES[one](value))
}

function isAllowed({ enum: values, minimum, maximum }: Schema, value: unknown): boolean {
  if (values !== undefined) return (values as readonly unknown[]).includes(value)
  return typeof value !== 'number' || (value >= (minimum ?? value) && value <= (maximum ?? value))
}

function refused(schema: Schema, value: unknown, at: string): Refusal {
  const [example] = schema.examples ?? []
  const expected = `must be ${expectedOf(schema)}`
  if (at === '') return invalidParameter('body', expected)
  if (schema.type !== 'string' || schema.enum !== undefined) return invalidParameter(at, expected)
  if (example !== undefined) return invalidParameter(at, `${expected}, such as ${JSON.stringify(example)}`)
  return invalidParameter(at, typeof value === 'number' ? `${expected}: a number loses its leading zeros` : expected)
}

/** Describes the expected value, for example "a list of 1 to 100 objects with text". */
function expectedOf(sent: Schema): string {
  const schema = resolveRef(sent)
  const { anyOf, type = [], enum: values, items = {}, required = [], minItems = 0, maxItems } = schema
  if (anyOf !== undefined) return anyOf.map(expectedOf).join(' or ')
  if (values !== undefined) return values.length === 1 ? JSON.stringify(values[0]) : oneOf(values)
  if (typeof type !== 'string') return type.map(one => expectedOf({ ...schema, type: one })).join(' or ')
  const { minimum, maximum } = schema
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`
  switch (type) {
    case 'object':
      return `an object with ${required.join(' and ')}`
    case 'array':
      return `a list of ${maxItems === undefined ? '' : `${minItems} to ${maxItems} `}${several(items)}`
    case 'boolean':
      return 'true or false'
    case 'integer':
      return `a whole number${range}`
    case 'number':
      return `a number${range}`
    default:
      return 'a string'
  }
}

/** Describes the items of a list, for example "strings". */
function several(items: Schema): string {
  const { enum: _, ...schema } = resolveRef(items)
  return expectedOf(schema).replace(/^an? (\w+)/, '$1s')
}
