/** Rules that client generators need from the contract; docs/clients.md lists the generators we tried. */
import t from 'tap'
import { OPENAPI } from '../../src/contract/openapi.js'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

const DOCUMENT = OPENAPI as Json

/** Every schema below a value, with its JSON pointer. Examples are data, not schemas. */
function schemasIn(value: Json, pointer: string, isSchema: boolean): [string, Json][] {
  if (typeof value !== 'object' || value === null) return []
  const own: [string, Json][] = isSchema && !Array.isArray(value) ? [[pointer, value]] : []
  const below = Object.entries<Json>(value).flatMap(([name, part]) => {
    if (['example', 'examples', 'enum', 'const', 'required'].includes(name)) return []
    const isGroup = isSchema && ['properties', 'anyOf'].includes(name)
    if (isGroup) return Object.entries(part).flatMap(([key, one]) => schemasIn(one, `${pointer}/${name}/${key}`, true))
    const startsHere = name === 'schema' || (isSchema && ['items', 'additionalProperties'].includes(name))
    return schemasIn(part, `${pointer}/${name}`, startsHere)
  })
  return [...own, ...below]
}

const ALL: [string, Json][] = [
  ...schemasIn(DOCUMENT.paths, '/paths', false),
  ...Object.entries<Json>(DOCUMENT.components.schemas).flatMap(([name, schema]) => schemasIn(schema, name, true)),
]

t.test('operation names are valid in every language and unique', async t => {
  const names = Object.values<Json>(DOCUMENT.paths).flatMap(path =>
    Object.values<Json>(path).map(({ operationId }) => operationId),
  )
  t.strictSame(names, [...new Set(names)])
  for (const name of names) t.match(name, /^[a-z][A-Za-z0-9]*$/)
  for (const name of Object.keys(DOCUMENT.components.schemas)) t.match(name, /^[A-Z][A-Za-z0-9]*$/)
})

t.test('every schema states its type, even next to enum and const', async t => {
  t.ok(ALL.length > 300)
  for (const [pointer, schema] of ALL) {
    const isTyped = ['type', '$ref', 'anyOf'].some(name => schema[name] !== undefined)
    t.ok(isTyped || typeof schema === 'boolean', pointer)
  }
})

t.test('every reference has a target', async t => {
  const targets = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, path = '']) => path)
  t.ok(targets.length > 100)
  for (const path of new Set(targets))
    t.ok(
      path
        .slice(1)
        .split('/')
        .reduce((at: Json, part) => at?.[part], DOCUMENT),
      path,
    )
})

t.test('no body field has a default, since generators would always send it', async t => {
  for (const [pointer, schema] of ALL.filter(([pointer]) => !pointer.startsWith('/paths')))
    t.equal(schema.default, undefined, pointer)
})

t.test('the parameters of a path are exactly those in its template', async t => {
  for (const [path, operations] of Object.entries<Json>(DOCUMENT.paths))
    for (const { parameters = [] } of Object.values<Json>(operations)) {
      const named = parameters.filter((one: Json) => one.in === 'path').map((one: Json) => one.name)
      t.strictSame(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        path,
      )
    }
})
