/** Work grows at most linearly with the length of a request. Counts steps, not time: see stepping-server.mjs. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import {
  CLASSIFY_CHARS_MAX,
  CLASSIFY_ITEMS_MAX,
  INVOICE_ITEMS_MAX,
  QUERY_CHARS_MAX,
  RESOLVE_BODY_MAX,
  RESOLVE_CHARS_MAX,
  RESOLVE_QUERY_MAX,
  SEARCHES_MAX,
  SUGGEST_CHARS_MAX,
} from '../../src/limits.js'
import { makeKey, START_MS, UNREAD_BYTES_MAX } from '../support/service.js'

/**
 * A request of twice the length may take three times the steps, and one of four times the length nine times. The length is
 * doubled twice, because one doubling might not show quadratic growth.
 */
const GROWTH_MAX = 9
/** For a query string; engines refuse a much longer head. */
const JUNK_CHARS_MAX = 2_000
const BODY_CHARS_MAX = 60_000

/** Marks that are trimmed, characters that fold to none or many, words that start exclusions. */
const PIECES = [
  ...['a', 'shirt ', 'q9', '1.', '12-', '8471.30 ', 'not,', 'other than ', ',', '(', "'", ' '],
  ...['قميص ', 'عدا ', 'و', 'ـ', 'e\u0301', '⑴', '™', '\ufdfa', '😀'],
]
type Form = (chars: number) => string
const filled = (piece: string, chars: number) => [...piece.repeat(chars)].slice(0, chars).join('')
const repeated = PIECES.map(
  (piece): Form =>
    chars =>
      `a${filled(piece, chars - 2)}a`,
)
/** Many words, then one long piece: careless code would scan the long piece once for each word. */
const behindWords = ['q9', "'", ',', '😀'].map(
  (piece): Form =>
    chars =>
      `${filled('⑴', chars >> 2)}${filled(piece, chars - (chars >> 2) - 1)}a`,
)
const TEXTS = [...repeated, ...behindWords]
const FEW_TEXTS = ['1.', '\ufdfa'].map(piece => repeated[PIECES.indexOf(piece)] as Form)

interface Sent {
  path: string
  body?: unknown
}
interface Ask {
  (share: number, form: Form): Sent
  /** True if the text is processed as words. */
  isText?: true
}
const asText = (ask: Ask): Ask => Object.assign(ask, { isText: true as const })

const list = <T>(count: number, item: (n: number) => T) => Array.from({ length: Math.floor(count) }, (_, n) => item(n))
const get =
  (path: string, name: string, charsMax: number): Ask =>
  (share, form) => ({ path: `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(form(charsMax * share))}` })
const inPath =
  (path: (text: string) => string): Ask =>
  (share, form) => ({ path: path(encodeURIComponent(form(200 * share))) })
const junk = (path: string): Ask[] => [
  get(path, 'junk', 200),
  (share, form) => ({
    path: `${path}${path.includes('?') ? '&' : '?'}${`${encodeURIComponent(form(4))}&`.repeat((JUNK_CHARS_MAX * share) / 20)}`,
  }),
]
/** Bodies with hostile text, with unknown fields, and with more items. */
const post = (
  path: string,
  itemsMax: number,
  charsMax: number,
  body: (items: number, text: (n: number) => string) => object,
): Ask[] => [
  (share, form) => ({ path, body: body(2, n => form(charsMax * share - 1) + n) }),
  (share, form) => ({ path, body: body(itemsMax * share, n => form(8) + n) }),
  (share, form) => ({
    path,
    body: { ...body(2, n => `shirt ${n}`), ...Object.fromEntries(list((BODY_CHARS_MAX * share) / 40, n => [form(12) + n, n])) },
  }),
]
const item = (n: number) => ({ hs_code: n % 2 === 0 ? '851713' : '010121', value: 100 + n })
const mcp =
  (name: string, args: (share: number, form: (chars: number) => string) => object): Ask =>
  (share, form) => ({
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args(share, form) } },
  })

const ENDPOINTS: Record<string, Ask[]> = {
  lookup: [
    inPath(code => `/api/v1/hs-codes/${code}`),
    get('/api/v1/hs-codes/851713', 'include', 400),
    ...junk('/api/v1/hs-codes/851713'),
  ],
  children: [
    inPath(code => `/api/v1/hs-codes/${code}/children`),
    get('/api/v1/hs-codes/85/children', 'fields', 400),
    ...junk('/api/v1/hs-codes/85/children'),
  ],
  lines: [
    inPath(code => `/api/v1/hs-codes/${code}/lines`),
    get('/api/v1/hs-codes/85/lines', 'include', 400),
    ...junk('/api/v1/hs-codes/85/lines'),
  ],
  chapters: junk('/api/v1/chapters'),
  dataset: junk('/api/v1/dataset'),
  'search GET': [
    asText(get('/api/v1/search', 'q', QUERY_CHARS_MAX)),
    get('/api/v1/search?q=shirt', 'within', 400),
    ...junk('/api/v1/search?q=shirt'),
  ],
  'search POST': post('/api/v1/search', SEARCHES_MAX, QUERY_CHARS_MAX, (items, text) => ({
    queries: list(items, n => ({ q: text(n) })),
  })),
  suggest: [asText(get('/api/v1/suggest', 'q', SUGGEST_CHARS_MAX)), ...junk('/api/v1/suggest?q=shi')],
  'classify GET': [
    asText(get('/api/v1/classify', 'text', CLASSIFY_CHARS_MAX)),
    get('/api/v1/classify?text=shirt', 'within', 400),
    get('/api/v1/classify?text=shirt', 'hs_code', 400),
    ...junk('/api/v1/classify?text=shirt'),
  ],
  'classify POST': post('/api/v1/classify', CLASSIFY_ITEMS_MAX, CLASSIFY_CHARS_MAX, (items, text) => ({
    items: list(items, n => ({ text: text(n) })),
  })),
  'resolve GET': [
    get('/api/v1/resolve', 'codes', RESOLVE_CHARS_MAX),
    (share, form) => ({ path: `/api/v1/resolve?codes=${list(RESOLVE_QUERY_MAX * share, n => encodeURIComponent(form(4)) + n)}` }),
    ...junk('/api/v1/resolve?codes=851713'),
  ],
  'resolve POST': post('/api/v1/resolve', RESOLVE_BODY_MAX, RESOLVE_CHARS_MAX, (items, text) => ({ codes: list(items, text) })),
  editions: [
    inPath(code => `/api/v1/editions/2017/${code}`),
    inPath(year => `/api/v1/editions/${year}/851712`),
    ...junk('/api/v1/editions/2017/851712'),
  ],
  notes: [inPath(scope => `/api/v1/notes/${scope}`), ...junk('/api/v1/notes/85')],
  'tariff GET': [
    ...['hs_code', 'value', 'currency', 'vat_rate', 'country', 'as_of', 'origin', 'quantity'].map(name => {
      const rest = { hs_code: '851713', value: '100', country: 'SA' }
      const others = Object.entries(rest).filter(([known]) => known !== name)
      return get(`/api/v1/tariff/calculate?${others.map(pair => pair.join('=')).join('&')}`, name, 400)
    }),
    ...junk('/api/v1/tariff/calculate?hs_code=851713&value=100'),
  ],
  'tariff POST': [
    ...['', 'SA'].flatMap(country =>
      post('/api/v1/tariff/calculate', INVOICE_ITEMS_MAX, 400, items => ({
        items: list(items, item),
        ...(country !== '' && { country }),
      })),
    ),
    (share, form) => ({
      path: '/api/v1/tariff/calculate',
      body: { items: [{ hs_code: form(400 * share), value: form(400 * share) }] },
    }),
  ],
  changes: [...['since', 'kind'].map(name => get('/api/v1/changes', name, 400)), ...junk('/api/v1/changes')],
  mcp: [
    mcp('search_hs_codes', (share, form) => ({ query: form(QUERY_CHARS_MAX * share) })),
    mcp('classify_goods', (share, form) => ({ items: list(20 * share, n => ({ text: form(100) + n })) })),
    mcp('no_such_tool', (share, form) => ({ text: form(20_000 * share) })),
  ],
}

t.test('a request of four times the length takes at most nine times the steps', async t => {
  const { key, record } = makeKey('pro', { per_minute: 100_000_000, per_day: 100_000_000 })
  const worker = new Worker(new URL('../support/stepping-server.mjs', import.meta.url), {
    workerData: { record, nowMs: START_MS, engine: 'node', unreadBytesMax: UNREAD_BYTES_MAX },
  })
  const [port] = await once(worker, 'message')
  const send = async ({ path, body }: Sent) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    await response.text()
    return response.status
  }
  const taken = async () => {
    worker.postMessage('take')
    const [steps] = await once(worker, 'message')
    return steps as number
  }
  const stepsOf = async (sent: Sent) => {
    await send(sent)
    return taken()
  }
  const text = (share: number) => ({ path: `/quadratic?${'a'.repeat(JUNK_CHARS_MAX * share)}` })
  await stepsOf(text(1 / 10))
  const quarter = await stepsOf(text(1 / 4))
  const growth = (await stepsOf(text(1))) / quarter
  t.ok(growth > GROWTH_MAX, `quadratic work is noticed: it grows by ${growth.toFixed(1)}`)
  for (const [name, asks] of Object.entries(ENDPOINTS))
    await t.test(name, async t => {
      let worst = { growth: 0, quarter: 0, whole: 0, sent: '' }
      for (const ask of asks) {
        // warm up, so that work on first use is not counted
        await stepsOf(ask(0.1, chars => 'b'.repeat(chars)))
        for (const form of ask.isText ? TEXTS : FEW_TEXTS) {
          const quarter = await stepsOf(ask(1 / 4, form))
          const sent = ask(1, form)
          const whole = await stepsOf(sent)
          const growth = whole / quarter
          if (growth > worst.growth) worst = { growth, quarter, whole, sent: JSON.stringify(sent) }
        }
      }
      const { growth, quarter, whole, sent } = worst
      t.ok(growth <= GROWTH_MAX, `${quarter} steps, then ${whole}: ${sent.slice(0, 300)}`)
    })
  worker.postMessage('close')
  await once(worker, 'exit')
})
