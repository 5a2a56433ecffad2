/** Checks a model's arguments against a tool's JSON Schema, with messages that say what to send instead. */
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { oneOf } from '../questions/wording.js'
import { unknownName } from '../unknown-name.js'

/** The part of JSON Schema that the tools use. */
export interface ArgumentSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly (string | number)[]
  readonly anyOf?: readonly ArgumentSchema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: ArgumentSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, ArgumentSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
}

/** Maximum number of messages; more would hide the first one. */
const SHOWN_MAX = 3

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Refuses arguments that do not fit the schema; undefined if they do. */
export function refuseArguments(schema: ArgumentSchema, sent: unknown): Refusal | undefined {
  const [first, ...others] = problemsOf(schema, sent, '')
  if (first === undefined) return undefined
  const messages = [first, ...others].slice(0, SHOWN_MAX).map(({ message }) => message)
  return new Refusal('invalidParameter', messages.join(' '), first.details)
}

function problemsOf(schema: ArgumentSchema, sent: unknown, name: string): Refusal[] {
  const { anyOf, type, enum: values } = schema
  if (anyOf !== undefined) {
    const fitting = anyOf.find(one => isOfType(one.type, sent))
    const types = anyOf.flatMap(one => one.type ?? [])
    return fitting === undefined ? [invalidParameter(name, mustBe(types))] : problemsOf(fitting, sent, name)
  }
  if (values !== undefined) return values.includes(sent as string) ? [] : [invalidParameter(name, `must be ${oneOf(values)}`)]
  if (!isOfType(type, sent)) return [invalidParameter(name === '' ? 'arguments' : name, mustBe([type ?? []].flat()))]
  if (typeof sent === 'string') return bounded(name, [...sent].length, schema.minLength, schema.maxLength, ' characters')
  if (typeof sent === 'number') return bounded(name, sent, schema.minimum, schema.maximum)
  if (Array.isArray(sent)) return problemsOfList(schema, sent, name)
  return typeof sent === 'object' ? problemsOfObject(schema, sent as Record<string, unknown>, name) : []
}

function problemsOfList({ items, minItems, maxItems }: ArgumentSchema, sent: readonly unknown[], name: string): Refusal[] {
  const outside = bounded(name, sent.length, minItems, maxItems, ' entries')
  if (outside.length > 0 || items === undefined) return outside
  return sent.flatMap((item, i) => problemsOf(items, item, `${name}[${i}]`))
}

function problemsOfObject(schema: ArgumentSchema, sent: Record<string, unknown>, name: string): Refusal[] {
  const { properties = {}, required = [] } = schema
  const known = Object.keys(properties)
  const prefix = name === '' ? '' : `${name}.`
  return [
    ...Object.keys(sent)
      .filter(one => !known.includes(one))
      .map(one => {
        const { message, details } = unknownName(one, known, prefix)
        return new Refusal('invalidParameter', message, details)
      }),
    ...required.filter(one => sent[one] === undefined).map(one => invalidParameter(`${prefix}${one}`, 'is missing')),
    ...known.filter(one => sent[one] !== undefined).flatMap(one => problemsOf(properties[one], sent[one], `${prefix}${one}`)),
  ]
}

function bounded(name: string, size: number, min = 0, max = Infinity, unit = ''): Refusal[] {
  if (size >= min && size <= max) return []
  const verb = unit === '' ? 'be' : 'have'
  const range = max === Infinity ? `at least ${min}` : `${unit === '' ? 'from ' : ''}${min} to ${max}`
  return [invalidParameter(name, `must ${verb} ${range}${unit}`)]
}

const mustBe = (types: readonly string[]): string => `must be ${oneOf([...new Set(types)].map(type => TYPE_NAMES[type] ?? type))}`

function isOfType(type: ArgumentSchema['type'], sent: unknown): boolean {
  return type === undefined || [type].flat().some(one => isOf(one, sent))
}

function isOf(type: string, sent: unknown): boolean {
  if (type === 'integer') return Number.isInteger(sent)
  if (type === 'array') return Array.isArray(sent)
  if (type === 'object') return typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  return typeof sent === type
}
