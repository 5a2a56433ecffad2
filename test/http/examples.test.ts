/**
 * The contract's examples are always up to date: they must equal the answers of a server with the shipped dataset. `npm run
 * examples` writes them.
 */
import t from 'tap'
import { EXAMPLE_ANSWERS } from '../../src/contract/example-answers.js'
import { OPENAPI } from '../../src/contract/openapi.js'
import { ERRORS } from '../../src/errors.js'
import { validate } from '../support/contract.js'
import { realAnswers } from '../support/contract-examples.js'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

const DOCUMENT = OPENAPI as Json

t.test('each example equals the response of a server with the shipped dataset', async t => {
  const real = await realAnswers(t)
  t.strictSame(Object.keys(EXAMPLE_ANSWERS).sort(), Object.keys(real).sort())
  for (const [name, text] of Object.entries(real)) t.equal(EXAMPLE_ANSWERS[name], text, name)
})

/** Each place in the document that describes a body, by its JSON pointer. */
function contents(value: Json, pointer = ''): [string, Json][] {
  if (typeof value !== 'object' || value === null) return []
  const here: [string, Json][] = value['application/json'] === undefined ? [] : [[pointer, value['application/json']]]
  const parts = Object.entries(value).flatMap(([name, part]) =>
    contents(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [...here, ...parts]
}

function resolvedExample(example: Json): Json {
  if (example.$ref === undefined) return example
  return DOCUMENT.components.examples[example.$ref.split('/').at(-1)]
}

t.test('every response, refusal and body has an example, in both languages, that is valid by its schema', async t => {
  const all = contents({ paths: DOCUMENT.paths, 'x-unknown-path': DOCUMENT['x-unknown-path'] })
  t.ok(all.length > 80)
  for (const [pointer, { examples }] of all) {
    t.ok(Object.keys(examples ?? {}).length > 0, pointer)
    for (const example of Object.values(examples ?? {}).map(resolvedExample)) {
      t.match(example.summary, /[a-z].* · .*[\u0600-\u06ff]/i, 'English and Arabic')
      validate(`${pointer}/application~1json/schema`, example.value, `an example at ${pointer}`)
    }
  }
})

t.test('a status with several error codes has an example of each', async t => {
  const named = ({ description, content }: Json) => {
    const shown = Object.values(content['application/json'].examples).map(example => resolvedExample(example).value.error.code)
    return [description.split(', ').sort(), [...new Set(shown)].sort()]
  }
  const codes = new Set<string>()
  const responses = Object.values<Json>(DOCUMENT.paths)
    .flatMap(path => Object.values<Json>(path))
    .flatMap(({ responses }) => Object.entries<Json>(responses))
    .filter(([status]) => Number(status) >= 400)
    .map(([, response]) => response)
  for (const response of [...responses, DOCUMENT['x-unknown-path']]) {
    const [documented, shown] = named(response) as [string[], string[]]
    t.strictSame(shown, documented)
    for (const code of shown) codes.add(code)
  }
  t.strictSame(
    [...codes].sort(),
    Object.values(ERRORS)
      .map(({ code }) => code)
      // only /mcp returns it, which has its own contract
      .filter(code => code !== 'origin_not_allowed')
      .sort(),
  )
})

t.test('every record in an example has its description in both languages', async t => {
  const texts = JSON.stringify(DOCUMENT.components.examples)
  for (const [, en = '', ar = ''] of texts.matchAll(/"en":"([^"]*)","ar":"([^"]*)"/g)) {
    t.match(en, /[A-Za-z]/)
    t.match(ar, /[\u0600-\u06ff]/)
  }
})
