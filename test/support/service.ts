/** Starts a server on a real socket, usually with the fixture dataset, and with a clock that tests can move. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tap, { type Test } from 'tap'
import { checkDataset } from '../../build/checks/check.js'
import { compile } from '../../build/compiler/compile.js'
import { readDataset } from '../../build/dataset/read.js'
import { Catalog } from '../../src/catalog/catalog.js'
import type { EngineName } from '../../src/engines/engine.js'
import { decideEngine, openEngine } from '../../src/engines/engines.js'
import { Gate } from '../../src/gate/gate.js'
import type { Route } from '../../src/http/routes.js'
import { Server, type ServerOptions } from '../../src/http/server.js'
import { checksumOf, hashKey, newKey } from '../../src/keys/key.js'
import type { KeyRecord } from '../../src/keys/key-record.js'
import type { Tier } from '../../src/quotas/tiers.js'
import type { Snapshot } from '../../src/snapshot/decode.js'
import { loadSnapshot } from '../../src/snapshot/load.js'
import { type Answer, validateAnswer } from './contract.js'
import { decodeSnapshot, encodeSnapshot } from './snapshot.js'

export const FIXTURE = fileURLToPath(new URL('../fixture/dataset', import.meta.url))
export const UNREAD_BYTES_MAX = 64 * 1024 * 1024
export const START_MS = Date.parse('2026-05-04T12:00:00Z')

export class MovableClock {
  ms = START_MS
  now(): number {
    return this.ms
  }
  forward(ms: number): void {
    this.ms += ms
  }
}

/** The compiled fixture, which all tests of a process share. No test may change the bytes. */
let fixtureBytes: Promise<Buffer> | undefined

export function compiledFixture(): Promise<Buffer> {
  fixtureBytes ??= compiledBytes(FIXTURE)
  return fixtureBytes
}

export async function compiledBytes(directory: string): Promise<Buffer> {
  const dataset = await readDataset(directory)
  const defects = checkDataset(dataset)
  if (defects.length > 0) throw new Error(JSON.stringify(defects, null, 1))
  return encodeSnapshot(compile(dataset), dataset.digest)
}

/** Returns the fixture after compiling, encoding and decoding it, as a server loads it. */
export async function fixtureSnapshot(): Promise<Snapshot> {
  return decodeSnapshot(await compiledFixture(), 'fixture')
}

/** Loads the snapshot of the shipped dataset, which test/run.mjs builds before the tests. */
export function shippedSnapshot(): Promise<Snapshot> {
  return loadSnapshot(fileURLToPath(new URL('../../dist/hs.snapshot', import.meta.url)))
}

/** Compiles another dataset and returns its catalog. */
export async function catalogOf(directory: string): Promise<Catalog> {
  return new Catalog(decodeSnapshot(await compiledBytes(directory), directory))
}

export async function fixtureCatalog(): Promise<Catalog> {
  return new Catalog(await fixtureSnapshot())
}

export interface TestKey {
  key: string
  record: KeyRecord
}

export function makeKey(tier: Tier, changes: Partial<KeyRecord> = {}): TestKey {
  const key = newKey(tier)
  const record: KeyRecord = {
    id: key.slice(8, 18),
    name: 'test',
    tier,
    hash: hashKey(key),
    checksum: checksumOf(key),
    expires_at: null,
    per_minute: null,
    per_day: null,
    created_at: '2026-05-01T00:00:00+00:00',
    revoked_at: null,
    rotated_at: null,
    ...changes,
  }
  return { key, record }
}

export interface Service {
  url: string
  port: number
  clock: MovableClock
  gate: Gate
  server: Server
  engine: EngineName
  faults: unknown[]
  /** The ids of the requests whose handling threw an error. */
  ids: string[]
  /** Sends a request and checks the answer against the OpenAPI document. */
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>
  /** Like `get`, with a body. A body that is not a string is sent as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Both engines, or only node:http if uWebSockets.js cannot be loaded. */
export const ENGINES: readonly EngineName[] = decideEngine('auto').name === 'uws' ? ['uws', 'node'] : ['node']
let currentEngine: EngineName = ENGINES[0] as EngineName

/** Runs a test once with each engine, which the services that it starts use. */
export function testOnEngines(name: string, run: (t: Test) => Promise<void>): void {
  for (const engine of ENGINES) {
    tap.test(`${name} (${engine})`, async t => {
      currentEngine = engine
      await run(t)
    })
  }
}

export async function startService(
  t: Test,
  keys: TestKey[],
  catalog?: Catalog,
  routes?: readonly Route[],
  more: Partial<ServerOptions> = {},
): Promise<Service> {
  const clock = new MovableClock()
  const gate = new Gate()
  for (const { record } of keys) gate.setKey(record)
  const faults: unknown[] = []
  const ids: string[] = []
  const server = new Server({
    engine: openEngine(currentEngine, UNREAD_BYTES_MAX),
    gate,
    clock,
    onFault: (error, id) => {
      faults.push(error)
      ids.push(id)
    },
    ...(routes === undefined ? {} : { routes }),
    ...more,
  })
  const port = await server.listen('127.0.0.1', 0)
  if (catalog !== undefined) server.serve(catalog)
  t.teardown(() => server.close({ finishMs: 0, drainMs: 2_000 }))
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    clock,
    gate,
    server,
    engine: currentEngine,
    faults,
    ids,
    get: (path, headers, method) => ask(url, path, headers, method),
    post: (path, body, headers) =>
      ask(
        url,
        path,
        { 'content-type': 'application/json', ...headers },
        'POST',
        typeof body === 'string' ? body : JSON.stringify(body),
      ),
  }
}

export async function ask(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string,
): Promise<Answer> {
  // each request closes its connection, so that servers need not wait for idle ones when they close
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, connection: 'close' },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
  validateAnswer(method, path, answer)
  return answer
}

/** Starts a service with the fixture and with one key that has high limits. */
export async function openService(t: Test): Promise<Service & { auth: Record<string, string>; catalog: Catalog }> {
  const key = makeKey('pro', { per_minute: 4_000_000, per_day: 4_000_000 })
  const catalog = await fixtureCatalog()
  const service = await startService(t, [key], catalog)
  return { ...service, catalog, auth: { 'x-api-key': key.key } }
}

/** Returns the exact text of the data in an answer. */
export function dataOf({ text }: { text: string }): string {
  return text.slice('{"success":true,"data":'.length, text.lastIndexOf(',"meta":{'))
}

export function temporaryDirectory(t: Test): string {
  const directory = mkdtempSync(join(tmpdir(), 'hsapi-test-'))
  t.teardown(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
