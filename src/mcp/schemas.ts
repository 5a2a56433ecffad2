/**
 * JSON Schemas in the form that the protocol's package accepts. Our own code checks values against them, because compiling
 * validators would delay the start.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { type ArgumentSchema, refuseArguments } from './arguments.js'

type Json = Readonly<Record<string, unknown>>

function standardSchema<Value>(schema: ArgumentSchema | Json, check: (sent: unknown) => string | undefined) {
  const json = () => schema as Record<string, unknown>
  const validate = (sent: unknown) => {
    const message = check(sent)
    return message === undefined ? { value: sent as Value } : { issues: [{ message }] }
  }
  return {
    '~standard': { version: 1, vendor: 'hsapi', validate, jsonSchema: { input: json, output: json } },
  } as StandardSchemaWithJSON<Value, Value>
}

/** A schema that refuses arguments which do not fit it. */
export function checkedSchema<Value>(schema: ArgumentSchema): StandardSchemaWithJSON<Value, Value> {
  return standardSchema<Value>(schema, sent => refuseArguments(schema, sent)?.message)
}

/** A schema that is only listed: the tool checks its arguments itself, and tests check its answers. */
export function listedSchema<Value>(schema: ArgumentSchema | Json): StandardSchemaWithJSON<Value, Value> {
  return standardSchema<Value>(schema, () => undefined)
}
