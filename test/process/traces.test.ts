/** Spans without the packages of OpenTelemetry, which are not installed here. */
import t from 'tap'
import { openTraces } from '../../src/process/traces.js'
import { prepared, run } from '../support/cli.js'

t.test('without an endpoint, there are no spans', async t => {
  t.equal(openTraces({}), undefined)
  t.equal(openTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }), undefined)
})

t.test('an endpoint that is not an address stops the start', async t => {
  const env = { ...(await prepared(t)), OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }
  t.match(await run(['serve'], env), { code: 2, stderr: /OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as/ })
})

t.test('an endpoint without the packages stops the start with the command that installs them', async t => {
  const env = { ...(await prepared(t)), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const { code, stderr } = await run(['serve'], env)
  t.equal(code, 2)
  t.match(
    stderr,
    /the package @opentelemetry\/api is not installed: run "npm install @opentelemetry\/api .*exporter-trace-otlp-http"/,
  )
})
