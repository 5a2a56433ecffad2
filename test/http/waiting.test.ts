/** The answers of requests that wait for a decision of Redis reflect what has changed during the wait. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { Verdict } from '../../src/quotas/verdict.js'
import { ManualGate } from '../support/manual-gate.js'
import { Connection } from '../support/raw.js'
import {
  catalogOf,
  FIXTURE,
  fixtureCatalog,
  makeKey,
  startService,
  temporaryDirectory,
  testOnEngines,
} from '../support/service.js'
import { until } from '../support/until.js'

async function start(t: Test) {
  const key = makeKey('pro')
  const gate = new ManualGate()
  gate.setKey(key.record)
  const service = await startService(t, [], await fixtureCatalog(), undefined, { gate })
  return { ...service, gate, auth: { 'x-api-key': key.key } }
}

async function otherCatalog(t: Test) {
  const directory = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, directory, { recursive: true })
  const file = join(directory, 'chapters/85.csv')
  writeFileSync(file, readFileSync(file, 'utf8').replace('851713,Smartphones', '851713,Smart telephones'))
  return catalogOf(directory)
}

testOnEngines('a request that waits while another dataset comes into use is answered from the new dataset', async t => {
  const { get, gate, server, auth } = await start(t)
  const waiting = get('/api/v1/hs-codes/851713', auth)
  const asked = await gate.nth(1)
  server.serve(await otherCatalog(t))
  asked.decide(Verdict.Admitted)
  const { body, headers } = await waiting
  t.equal(body.data.description.en, 'Smart telephones')
  const again = get('/api/v1/hs-codes/851713', auth)
  ;(await gate.nth(2)).decide(Verdict.Admitted)
  t.equal((await again).headers.get('etag'), headers.get('etag'), 'the tag matches the content')
})

testOnEngines('a request that waits is charged for each code in its list', async t => {
  const { get, gate, auth } = await start(t)
  const waiting = get('/api/v1/resolve?codes=85,8517,851713', auth)
  const asked = await gate.nth(1)
  t.equal(asked.requests, 3)
  asked.decide(Verdict.Admitted)
  t.equal((await waiting).body.data.length, 3)
})

testOnEngines('if the client of a waiting request disconnects, the wait ends', async t => {
  const { port, gate, auth } = await start(t)
  const gone = await Connection.open(port)
  gone.send(`GET /api/v1/hs-codes/85 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${auth['x-api-key']}\r\n\r\n`)
  await gate.nth(1)
  gone.socket.destroy()
  await until('the wait is cancelled', () => gate.cancelled === 1)
})
