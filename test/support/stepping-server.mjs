/**
 * A server in a thread that counts its steps: executed blocks of the program (V8's precise coverage counts each), and characters
 * or elements passed to functions of strings, expressions and lists. The same request takes the same steps on any machine. Steps
 * inside one regular expression are not counted: lint refuses those that are not linear.
 */
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const PROGRAM = new URL('../../dist/src/', import.meta.url).href
let passed = 0
let depth = 0

/** Counts outermost calls only: `replace` calls `exec` for each match. */
function count(prototype, name, lengthOf) {
  const original = prototype[name]
  Object.defineProperty(prototype, name, {
    ...Object.getOwnPropertyDescriptor(prototype, name),
    value: function (...args) {
      depth++
      try {
        const result = original.apply(this, args)
        if (depth === 1) passed += lengthOf(this, result) || 0
        return result
      } finally {
        depth--
      }
    },
  })
}

const whole = self => self.length
const part = (_, result) => result.length
for (const name of [
  'replace',
  'replaceAll',
  'match',
  'split',
  'search',
  'normalize',
  'toLowerCase',
  'trim',
  'indexOf',
  'includes',
])
  count(String.prototype, name, whole)
for (const name of ['slice', 'substring', 'repeat', 'padStart']) count(String.prototype, name, part)
for (const name of ['indexOf', 'includes', 'join', 'sort']) count(Array.prototype, name, whole)
for (const name of ['slice', 'concat']) count(Array.prototype, name, part)
// for an expression: up to the end of its match
count(RegExp.prototype, 'exec', ({ lastIndex }, found) => (found === null ? lastIndex : found.index + found[0].length))

const session = new Session()
session.connect()
await session.post('Profiler.enable')
// before the program is loaded: functions compiled earlier have no counters
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Steps since the last call. */
async function takeSteps() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let blocks = 0
  for (const { url, functions } of result)
    if (url.startsWith(PROGRAM)) for (const { ranges } of functions) for (const { count } of ranges) blocks += count
  const steps = blocks + passed
  passed = 0
  return steps
}

const { Catalog } = await import('../../dist/src/catalog/catalog.js')
const { openEngine } = await import('../../dist/src/engines/engines.js')
const { Gate } = await import('../../dist/src/gate/gate.js')
const { ROUTES } = await import('../../dist/src/http/api-routes.js')
const { Server } = await import('../../dist/src/http/server.js')
const { MCP_ROUTE } = await import('../../dist/src/mcp/over-http.js')
const { readQueryText } = await import('../../dist/src/engines/request.js')
const { loadSnapshot } = await import('../../dist/src/snapshot/load.js')

/** Scans the whole text once for each of its characters, which the test must detect. */
const quadratic = {
  handle: (req, out) => {
    const text = readQueryText(req)
    for (const _ of text) text.includes('\0')
    out.openData().ascii('"done"').endRecord()
  },
}

const { record, nowMs, engine, unreadBytesMax } = workerData
const gate = new Gate()
gate.setKey(record)
const server = new Server({
  engine: openEngine(engine, unreadBytesMax),
  gate,
  clock: { now: () => nowMs },
  onFault: error => {
    throw error
  },
  routes: [...ROUTES, MCP_ROUTE, { kind: 'keyed', path: '/quadratic', prepare: () => quadratic }],
})
server.serve(new Catalog(await loadSnapshot(fileURLToPath(new URL('../../dist/hs.snapshot', import.meta.url)))))
const port = await server.listen('127.0.0.1', 0)
parentPort.on('message', async message => {
  if (message === 'take') return parentPort.postMessage(await takeSteps())
  await server.close()
  session.disconnect()
  parentPort.close()
})
parentPort.postMessage(port)
