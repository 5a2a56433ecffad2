/** Runs the client against a real server, and checks every response against the contract. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { type ClientOptions, HsapiClient } from '../../src/client/index.js'
import { validateAnswer } from './contract.js'
import { fixtureCatalog, makeKey, type Service, startService, type TestKey } from './service.js'

/** A request of the client and its response. */
export interface SeenRequest {
  method: string
  path: string
  status: number
  body: string
}

/** Returns a fetch that records and checks each response. It closes its connections, so that servers need not wait for them. */
export function watchedFetch(seen: SeenRequest[]): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const response = await fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), connection: 'close' },
    })
    const text = await response.clone().text()
    const method = init?.method ?? 'GET'
    const path = pathname + search
    seen.push({ method, path, status: response.status, body: String(init?.body ?? '') })
    const body = text === '' ? undefined : JSON.parse(text)
    validateAnswer(method, path, { status: response.status, headers: response.headers, text, body })
    return response
  }
}

export interface ClientOnServer extends Service {
  client: HsapiClient
  seen: SeenRequest[]
  /** The waits that the client requested, in order. */
  waits: number[]
}

export async function clientOn(
  t: Test,
  options: Partial<ClientOptions> = {},
  key: TestKey = makeKey('pro', { per_minute: 4_000_000, per_day: 4_000_000 }),
  isLoaded = true,
): Promise<ClientOnServer> {
  const service = await startService(t, [key], isLoaded ? await fixtureCatalog() : undefined)
  const seen: SeenRequest[] = []
  const waits: number[] = []
  const client = new HsapiClient({
    url: service.url,
    key: key.key,
    fetch: watchedFetch(seen),
    sleep: async ms => {
      waits.push(ms)
      service.clock.forward(Math.ceil(ms))
    },
    ...options,
  })
  return { ...service, client, seen, waits }
}

/** Starts a server that is not hsapi and counts its connections. */
export async function fakeServer(t: Test, listener: RequestListener): Promise<{ url: string; connections(): number }> {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => {
    connections++
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise(done => server.close(done))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  }
}

export const ENVELOPE = JSON.stringify({
  success: true,
  data: { status: 'ok', service: 'hsapi', foundation_schema_ready: true, api_version: '1.0.0' },
  meta: { timestamp: '2026-05-04T12:00:00+00:00', api_version: '1.0.0' },
})
