/** Spans. The packages of OpenTelemetry are not installed here; small ones with the same functions replace them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openTraces } from '../../src/process/traces.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'

t.test('without an endpoint, there are no spans', async t => {
  t.equal(openTraces({}), undefined)
  t.equal(openTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }), undefined)
})

t.test('an endpoint that is not an address prevents the start', async t => {
  const env = { ...(await prepared(t)), OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }
  t.match(await run(['serve'], env), { code: 2, stderr: /OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as/ })
})

t.test('without the packages, an endpoint prevents the start, and the error has the command to install them', async t => {
  const env = { ...(await prepared(t)), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const { code, stderr } = await run(['serve'], env)
  t.equal(code, 2)
  t.match(
    stderr,
    /the package @opentelemetry\/api is not installed: run "npm install @opentelemetry\/api .*exporter-trace-otlp-http"/,
  )
})

/** What the packages do here: they write each provider, span and shutdown to a file. */
const PACKAGES = {
  '@opentelemetry/api': 'exports.ROOT_CONTEXT = {}; exports.trace = { setSpanContext: (_, parent) => ({ parent }) }',
  '@opentelemetry/resources': 'exports.resourceFromAttributes = attributes => attributes',
  '@opentelemetry/exporter-trace-otlp-http': 'exports.OTLPTraceExporter = class {}',
  '@opentelemetry/sdk-trace-base': `
    const write = line => require('node:fs').appendFileSync(process.env.SPANS, JSON.stringify(line) + '\\n')
    exports.TraceIdRatioBasedSampler = class { constructor(share) { this.share = share } }
    exports.ParentBasedSampler = class { constructor({ root }) { this.root = root } }
    exports.BatchSpanProcessor = class {}
    exports.BasicTracerProvider = class {
      constructor({ resource, sampler }) { write({ resource, share: sampler?.root.share }) }
      getTracer() {
        return {
          startSpan: (name, { attributes, startTime }, { parent }) => {
            const span = { name, attributes, parent }
            return { setStatus: ({ code }) => (span.status = code), end: endTime => write({ ...span, ms: endTime - startTime }) }
          },
        }
      }
      async shutdown() { write('shutdown') }
    }`,
}

async function traced(t: Test, more: Record<string, string> = {}) {
  const folder = temporaryDirectory(t)
  for (const [name, text] of Object.entries(PACKAGES)) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'index.js'), text)
  }
  const file = join(folder, 'spans')
  const otel = { NODE_PATH: folder, SPANS: file, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const env = { ...(await prepared(t)), ...otel, ...more }
  const { id, key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
  const served = await startServe(t, env)
  const end = async () => {
    t.equal(await served.end('SIGTERM'), 0)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map(line => JSON.parse(line))
  }
  return { url: served.url, id, auth: { 'x-api-key': key as string }, end }
}

t.test(
  'a span has the route, status and key of its request, in every thread, and belongs to the trace of the caller',
  async t => {
    const HSAPI_WORKERS = ENGINES.includes('uws') ? '2' : '1'
    const { url, id, auth, end } = await traced(t, { HSAPI_WORKERS, HSAPI_REQUEST_ID: 'on', OTEL_SERVICE_NAME: 'tariff' })
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    for (const flags of ['00', '01', '03'])
      await ask(url, '/api/v1/hs-codes/85', { ...auth, traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` })
    await ask(url, '/nowhere', { 'x-request-id': 'mine' }, 'HEAD')
    const startMs = performance.now()
    for (let n = 0; n < 24; n++) await ask(url, '/api/v1/search?q=cards', auth)
    const tookMs = performance.now() - startMs
    const lines = await end()
    const spans = lines.filter(({ name }) => name !== undefined)
    const of = (wanted: string) => spans.filter(({ name }) => name === wanted)
    t.match(
      of('GET /api/v1/hs-codes/{code}').map(({ parent }) => parent),
      [0, 1, 1].map(traceFlags => ({ traceId, spanId: '00f067aa0ba902b7', traceFlags, isRemote: true })),
    )
    t.match(of('GET /api/v1/hs-codes/{code}')[0], {
      attributes: { 'http.request.method': 'GET', 'http.route': '/api/v1/hs-codes/{code}', 'http.response.status_code': 200 },
    })
    const [unknown] = of('HEAD other')
    t.match(unknown.attributes, { 'http.response.status_code': 404, 'hsapi.request_id': 'mine' })
    t.strictSame([unknown.parent, unknown.status, 'hsapi.key' in unknown.attributes], [undefined, undefined, false])
    const searches = of('GET /api/v1/search')
    t.equal(searches.length, 24)
    for (const { attributes, ms } of searches) {
      t.equal(attributes['hsapi.key'], id)
      t.ok(ms > 0)
    }
    const ms = searches.reduce((sum, span) => sum + span.ms, 0)
    t.ok(ms <= tookMs, `${ms} ms in the server, of ${tookMs} ms until the answers`)
    const providers = lines.filter(({ resource }) => resource !== undefined)
    t.equal(providers.length, Number(HSAPI_WORKERS), 'one for each thread')
    t.match(providers[0], { resource: { 'service.name': 'tariff' }, share: 0.01 })
    t.equal(lines.filter(line => line === 'shutdown').length, providers.length, 'the last spans are sent before the end')
  },
)

t.test('a server error is marked on its span, and OTEL_TRACES_SAMPLER replaces the default sampling', async t => {
  const { url, auth, end } = await traced(t, { HSAPI_CHAOS: 'status=500', OTEL_TRACES_SAMPLER: 'always_on' })
  t.equal((await ask(url, '/api/v1/hs-codes/85', auth)).status, 500)
  const [provider, span] = await end()
  t.notOk('share' in provider)
  t.match(span, { status: 2, attributes: { 'http.response.status_code': 500 } })
})
