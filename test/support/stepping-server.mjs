/**
 * A server in a thread that counts its steps: the executed blocks of the program (from V8's precise coverage), and the
 * characters or elements that methods of strings, regular expressions and arrays process. The count of a request is the same on
 * any machine. Steps inside a regular expression are not counted, because lint refuses expressions that are not linear.
 */
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const PROGRAM = new URL('../../dist/src/', import.meta.url).href
let processed = 0
let depth = 0

/** Counts only outermost calls, because `replace` calls `exec` for each match. */
function count(prototype, name, lengthOf) {
  const original = prototype[name]
  Object.defineProperty(prototype, name, {
    ...Object.getOwnPropertyDescriptor(prototype, name),
    value: function (...args) {
      depth++
      try {
        const from = this.lastIndex ?? 0
        const result = original.apply(this, args)
        if (depth === 1) processed += lengthOf(this, result, from) || 0
        return result
      } finally {
        depth--
      }
    },
  })
}

const inputLength = self => self.length
const resultLength = (_, result) => result.length
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
  count(String.prototype, name, inputLength)
for (const name of ['slice', 'substring', 'repeat', 'padStart']) count(String.prototype, name, resultLength)
for (const name of ['indexOf', 'includes', 'join', 'sort']) count(Array.prototype, name, inputLength)
for (const name of ['slice', 'concat']) count(Array.prototype, name, resultLength)
// a regular expression processes the text from lastIndex up to the end of its match
count(RegExp.prototype, 'exec', (_, found, from) => (found === null ? 0 : found.index + found[0].length - from))

const session = new Session()
session.connect()
await session.post('Profiler.enable')
// this must happen before the program is loaded, because functions that are already compiled have no counters
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Returns the number of steps since the last call. */
async function takeSteps() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let blocks = 0
  for (const { url, functions } of result)
    if (url.startsWith(PROGRAM)) for (const { ranges } of functions) for (const { count } of ranges) blocks += count
  const steps = blocks + processed
  processed = 0
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

/** A route that scans the whole text once for each of its characters. The test must detect it. */
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
