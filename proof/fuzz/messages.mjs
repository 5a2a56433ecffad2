/**
 * Messages of the Model Context Protocol: calls with a known answer, and odd ones that must be answered without an internal
 * error.
 */
import { repeatedText } from '../shared/repeats.mjs'

const TEXT_CHARS_MAX = 500
const CODES_MANY = 10_000
const TOOLS = [
  'classify_goods',
  'verify_hs_code',
  'compare_hs_codes',
  'get_hs_code',
  'search_hs_codes',
  'resolve_hs_codes',
  'estimate_duty',
  'hs_edition',
]
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'logging/setLevel',
  'no/such',
  '__proto__',
  '',
]
const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion'

const call = (name, args, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })

/** @returns {{body: string, isRight: (answer: object) => boolean}} */
export function validCall(random, { codes, phrases }) {
  const code = random.pick(codes)
  const id = random.between(0, 1_000_000)
  const [name, args, isRight] = random.pick([
    () => ['get_hs_code', { code }, ({ hs_code }) => hs_code === code],
    () => ['search_hs_codes', { query: random.pick(phrases) }, ({ results }) => Array.isArray(results)],
    () => {
      const texts = Array.from({ length: random.between(1, 3) }, () => random.pick(phrases))
      return ['classify_goods', { texts }, ({ items, error }) => items?.length === texts.length || error !== undefined]
    },
  ])()
  return {
    body: JSON.stringify(call(name, args, id)),
    isRight: answer => answer.id === id && isRight(answer.result.structuredContent),
  }
}

function oddValue(random, stock, depth = 0) {
  return random.pick([
    () => null,
    () => random.between(-10, 1_000_000),
    () => random.pick([1e308, -0, 0.1, 2 ** 53]),
    () => random.pick([true, false]),
    () => random.pick(stock.codes),
    () => Number(random.pick(stock.codes)),
    () => random.pick(stock.phrases),
    () => repeatedText(random, TEXT_CHARS_MAX),
    () =>
      random.pick([
        '',
        '__proto__',
        '\ud800',
        '\u0000',
        'hsapi://notes/rules',
        'hsapi://notes/%zz',
        'hsapi://dataset',
        '2026-07-28',
      ]),
    () => Array.from({ length: random.between(0, 30) }, () => random.pick(stock.codes)),
    () => Array(random.chance(0.05) ? CODES_MANY : 3).fill('85'),
    () => (depth > 3 ? {} : oddObject(random, stock, depth + 1)),
    () => (depth > 3 ? [] : [oddValue(random, stock, depth + 1)]),
  ])()
}

const NAMES = [
  'code',
  'codes',
  'texts',
  'text',
  'items',
  'query',
  'within',
  'value',
  'country',
  'language',
  'edition',
  'uri',
  'name',
  'arguments',
  'ref',
  'argument',
  '_meta',
  '__proto__',
]

function oddObject(random, stock, depth) {
  const entries = Array.from({ length: random.between(0, 5) }, () => [random.pick(NAMES), oddValue(random, stock, depth)])
  return Object.fromEntries(entries)
}

function oddOne(random, stock) {
  const id = random.pick([1, 'a', 0, -1, null, undefined, 1.5, {}, 2 ** 60])
  if (random.chance(0.5))
    return call(random.pick([...TOOLS, 'no_such_tool', oddValue(random, stock)]), oddObject(random, stock, 0), id)
  const params = random.chance(0.8) ? oddObject(random, stock, 0) : oddValue(random, stock)
  const meta = random.chance(0.2) &&
    params !== null &&
    typeof params === 'object' && { _meta: { [REVISION_KEY]: random.pick(['2026-07-28', '1999-01-01', 7]) } }
  return {
    jsonrpc: random.pick(['2.0', '2.0', '2.0', '1.0', 2]),
    id,
    method: random.pick(METHODS),
    params: meta ? { ...params, ...meta } : params,
  }
}

/** Valid JSON, but perhaps not a message. */
export function oddMessage(random, stock) {
  if (random.chance(0.1)) return JSON.stringify(oddValue(random, stock)) ?? 'null'
  if (random.chance(0.15)) return JSON.stringify(Array.from({ length: random.between(0, 25) }, () => oddOne(random, stock)))
  return JSON.stringify(oddOne(random, stock))
}
