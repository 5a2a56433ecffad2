/** Assembles a thread that answers requests. */
import type { Clock } from '../clock.js'
import type { EngineName } from '../engines/engine.js'
import { openEngine } from '../engines/engines.js'
import { OperatorError } from '../errors.js'
import { Gate } from '../gate/gate.js'
import { Chaos } from '../http/chaos.js'
import { ClientAddresses } from '../http/client-address.js'
import type { Route } from '../http/routes.js'
import { Server } from '../http/server.js'
import type { StoreEvents } from '../leases/lease-manager.js'
import type { LeaseTable } from '../leases/lease-table.js'
import { parsePlan } from '../load-kit/chaos/expression.js'
import { holdsKey } from '../mask-secrets.js'
import { SearchCounts } from '../metrics/search-counts.js'
import type { Tally } from '../metrics/tally.js'
import { watchThread } from '../metrics/watch-thread.js'
import type { Counters } from '../quotas/counters.js'
import type { AccessLog } from '../responses/observer.js'
import type { ThreadConfig } from '../settings/config.js'
import { AccessLogWriter } from './access-log.js'
import { type ExplorerParts, withExplorer } from './explorer.js'
import { openLeases } from './leases.js'
import { faultLine, type Log, traced } from './log.js'
import type { Teardown } from './teardown.js'
import { openTraces, type Traces } from './traces.js'

export interface ThreadOptions {
  config: ThreadConfig
  engine: EngineName
  /** The number of the thread; the first is 0. */
  thread: number
  clock: Clock
  counters: Counters
  leases: LeaseTable
  store: StoreEvents
  tally: Tally | undefined
  explorer: ExplorerParts | undefined
  log: Log
}

export interface Thread {
  gate: Gate
  server: Server
  chaos: Chaos | undefined
  access: AccessLogWriter | undefined
  searches: SearchCounts | undefined
}

/** Returns a thread that does not listen yet, and has neither keys nor a catalog. */
export async function openThread(options: ThreadOptions, teardown: Teardown): Promise<Thread> {
  const { config, counters, clock, leases, store, tally, log } = options
  const leaseManager = config.redis && (await openLeases(config.redis, counters, leases, store, teardown))
  const gate = new Gate(counters, leaseManager)
  const traces = openTraces()
  teardown.push('rest', () => traces?.close())
  if (config.accessLog !== undefined || traces !== undefined) gate.sendsIds = true
  const engine = openEngine(options.engine, config.unreadBytesMax, config.tls)
  const access = await openAccessLog(config, log)
  teardown.push('rest', () => access?.close())
  if (tally !== undefined) {
    const readFigures = () => ({ connections: engine.connections, accessDropped: access?.dropped ?? 0 })
    teardown.push('rest', watchThread(tally, readFigures))
  }
  const plan = config.chaos === undefined ? undefined : parsePlan(config.chaos)
  const chaos = plan && new Chaos(engine.sender, plan, options.thread, tally)
  const searches = config.searches ? new SearchCounts(holdsKey) : undefined
  const explorer = withExplorer(options.explorer, config.trustedProxies)
  const server = new Server({
    ...explorer,
    routes: config.mcp ? [...explorer.routes, await mcpRoute()] : explorer.routes,
    engine,
    gate,
    clock,
    onFault: (error, id, traceparent) => log(faultLine(id, traced(error), traceparent), 'error'),
    tally,
    access: observerOf(access, traces),
    address: config.accessLog?.hasAddress ? new ClientAddresses(config.trustedProxies).of : undefined,
    searches,
    chaos,
    origins: config.corsOrigins,
    withLimitFields: config.rateLimitFields,
    withRequestIds: config.requestIds,
    compress: config.compress,
  })
  teardown.push('requests', async () => {
    const cutOff = await server.close(config)
    if (cutOff > 0) throw new Error(`${cutOff === 1 ? '1 request was' : `${cutOff} requests were`} still under way and cut off`)
  })
  return { gate, server, chaos, access, searches }
}

/** The observer that is called for each response; undefined without an access log and traces. */
function observerOf(access: AccessLogWriter | undefined, traces: Traces | undefined): AccessLog | undefined {
  if (access === undefined || traces === undefined) return access?.log ?? traces?.record
  return response => {
    access.log(response)
    traces.record(response)
  }
}

/** Loads MCP only if it is turned on, because its package is large. */
async function mcpRoute(): Promise<Route> {
  const { MCP_ROUTE } = await import('../mcp/over-http.js')
  return MCP_ROUTE
}

async function openAccessLog({ accessLog }: ThreadConfig, log: Log): Promise<AccessLogWriter | undefined> {
  if (accessLog === undefined) return undefined
  try {
    return await AccessLogWriter.open({
      file: accessLog.file,
      onStatus: (message, isFailing) => log(`hsapi: ${message}`, isFailing ? 'warning' : 'info'),
    })
  } catch (error) {
    throw new OperatorError(`HSAPI_ACCESS_LOG_FILE: ${(error as Error).message}`, { cause: error })
  }
}
