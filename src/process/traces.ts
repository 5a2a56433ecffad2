/**
 * Sends a span for each sampled request to OTEL_EXPORTER_OTLP_ENDPOINT, with the packages of OpenTelemetry. They are loaded
 * only if that variable is set: they are large, and few users need them.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '../errors.js'
import { packageRoot } from '../package-root.js'
import type { Access, AccessLog } from '../responses/observer.js'
import { VERSION } from '../version.js'

const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/exporter-trace-otlp-http',
] as const
/** Share of the requests without a traceparent that get a span, unless OTEL_TRACES_SAMPLER is set. */
const SHARE = 0.01
const SERVER_KIND = 1
const ERROR_STATUS = 2
const CLOSE_MS = 2_000

// the packages are optional, so their types cannot be imported
// biome-ignore lint/suspicious/noExplicitAny: modules of other packages
type Module = any

export interface Traces {
  record: AccessLog
  /** Sends the remaining spans, within CLOSE_MS. */
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Loads a package that is installed next to the program or in the working directory. */
function load(name: string): Module {
  const places = [packageRoot(), process.cwd()]
  for (const place of places) {
    const require = createRequire(join(place, 'package.json'))
    let file: string
    try {
      file = require.resolve(name)
    } catch {
      continue
    }
    return require(file)
  }
  throw new OperatorError(
    `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the package ${name} is not installed: run "npm install ${PACKAGES.join(' ')}", or unset it`,
  )
}

/** Returns undefined if no endpoint is set. */
export function openTraces(env: Environment = process.env): Traces | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? ''
  if (endpoint.trim() === '') return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new OperatorError('OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318')
  const [api, resources, sdk, exporter] = PACKAGES.map(load) as [Module, Module, Module, Module]
  const root = new sdk.TraceIdRatioBasedSampler(SHARE)
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME ?? 'hsapi', 'service.version': VERSION }),
    ...(env.OTEL_TRACES_SAMPLER === undefined && { sampler: new sdk.ParentBasedSampler({ root }) }),
    // the exporter reads the OTEL_EXPORTER_OTLP_ variables itself
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('hsapi', VERSION)
  const parentOf = (traceparent: string) => {
    const [, traceId, spanId, flags = '0'] = traceparent.split('-')
    const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
    return api.trace.setSpanContext(api.ROOT_CONTEXT, context)
  }
  const record = ({ method, route, keyId, status, microseconds, requestId, traceparent }: Access) => {
    const endMs = Date.now()
    const options = {
      kind: SERVER_KIND,
      startTime: endMs - microseconds / 1000,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        ...(keyId !== '' && { 'hsapi.key': keyId }),
        ...(requestId !== undefined && { 'hsapi.request_id': requestId }),
      },
    }
    const parent = traceparent === undefined ? api.ROOT_CONTEXT : parentOf(traceparent)
    const span = tracer.startSpan(`${method} ${route}`, options, parent)
    if (status >= 500) span.setStatus({ code: ERROR_STATUS })
    span.end(endMs)
  }
  const close = async () => {
    await Promise.race([provider.shutdown().catch(() => {}), wait(CLOSE_MS, undefined, { ref: false })])
  }
  return { record, close }
}
