/** Sends the example requests of the contract to real servers with the shipped dataset. */
import type { Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { ANSWERED, type ExampleRequest, REFUSED, type Situation } from '../../src/contract/example-requests.js'
import type { Route } from '../../src/http/routes.js'
import { KEY_BATCHES_MAX } from '../../src/limits.js'
import type { Answer } from './contract.js'
import { makeKey, type Service, shippedSnapshot, startService, type TestKey } from './service.js'
import { until } from './until.js'

const FAULTY: Route[] = [
  {
    kind: 'keyed',
    path: '/api/v1/hs-codes/:code',
    prepare: () => ({
      handle: () => {
        throw new Error('a mistake')
      },
    }),
  },
]

/** Starts a server on which `key` has the maximum number of batches in progress. */
async function busyService(t: Test, key: TestKey, catalog: Catalog): Promise<Service> {
  let started = 0
  const endless: Route = {
    kind: 'body',
    path: '/api/v1/classify',
    prepare: () => () => {
      started++
      return { requests: 1, work: () => true, answer: () => {} }
    },
  }
  const service = await startService(t, [key], catalog, [endless])
  for (let i = 0; i < KEY_BATCHES_MAX; i++) service.post(endless.path, {}, { 'x-api-key': key.key }).catch(() => {})
  await until('all batches are in progress', () => started === KEY_BATCHES_MAX)
  return service
}

/** Replaces values that differ between servers or builds of the data. */
export function settled(text: string): string {
  return text
    .replace(/"request_id":"[^"]+"/, '"request_id":"5f0c2a7e-3d41"')
    .replace(/"snapshot":"[0-9a-f]{16}"/, '"snapshot":"0123456789abcdef"')
}

async function startServers(t: Test, catalog: Catalog) {
  const good = makeKey('pro')
  const expired = makeKey('pro', { expires_at: '2026-01-01' })
  const spent = makeKey('free', { per_minute: 1 })
  const keys = [good, expired, spent]
  const usual = await startService(t, keys, catalog)
  const faulty = await startService(t, keys, catalog, FAULTY)
  const starting = await startService(t, keys)
  await usual.get('/api/v1/hs-codes/85', { 'x-api-key': spent.key })
  const situations: Record<Situation, { service: Service; key: string | undefined }> = {
    'no key': { service: usual, key: undefined },
    'unknown key': { service: usual, key: makeKey('pro').key },
    'expired key': { service: usual, key: expired.key },
    'used up': { service: usual, key: spent.key },
    faulty: { service: faulty, key: good.key },
    starting: { service: starting, key: good.key },
    busy: { service: await busyService(t, good, catalog), key: good.key },
  }
  return { usual: { service: usual, key: good.key }, situations }
}

/** Returns the part of an answer that the example shows: some items, some fields, or by default all of it. */
function partOf({ text, body }: Answer, shown?: number, fields?: readonly string[]): string {
  if (fields !== undefined) return JSON.stringify(Object.fromEntries(fields.map(name => [name, body[name]])))
  if (shown === undefined) return text
  return text.replace(JSON.stringify(body.data), JSON.stringify(body.data.slice(0, shown)))
}

/** Returns the text of every answer, keyed by the name of its example. */
export async function realAnswers(t: Test): Promise<Record<string, string>> {
  const { usual, situations } = await startServers(t, new Catalog(await shippedSnapshot()))
  const answers: Record<string, string> = {}
  const all: [string, ExampleRequest & { situation?: Situation; type?: string }][] = [
    ...Object.entries(ANSWERED),
    ...Object.entries(REFUSED),
  ]
  for (const [name, { method = 'GET', path, body, situation, type = 'application/json', shown, fields }] of all) {
    const { service, key } = situation === undefined ? usual : situations[situation]
    const headers = key === undefined ? {} : { 'x-api-key': key }
    const answer =
      method === 'POST'
        ? await service.post(path, body, { ...headers, 'content-type': type })
        : await service.get(path, headers, method)
    answers[name] = settled(partOf(answer, shown, fields))
  }
  return answers
}
