/** Many items are processed between other requests. Tests count events and turns of the event loop, never time. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Catalog } from '../../src/catalog/catalog.js'
import type { Classified, ClassifyTerms } from '../../src/catalog/classify/classified.js'
import { KEY_BATCHES_MAX } from '../../src/limits.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { ManualGate } from '../support/manual-gate.js'
import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'
import { until } from '../support/until.js'

const PATH = '/api/v1/classify'
const COUNT = 100

/** Calls `before` with the number of texts classified so far; classification is unchanged. */
function watch(catalog: Catalog, before: (done: number) => void): { done: number } {
  const { classifier } = catalog
  const classify = classifier.classify.bind(classifier)
  const seen = { done: 0 }
  classifier.classify = (text: string, terms: ClassifyTerms): Classified => {
    before(seen.done++)
    return classify(text, terms)
  }
  return seen
}

const long = (n: number) => `magnetic cards number ${n} ${'with a long story about them '.repeat(16)}`.slice(0, 500)
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ text: long(n) }))

function posting(key: string, count = COUNT): string {
  const body = JSON.stringify({ items: items(count) })
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const getting = (path: string, key: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`

async function stage(t: Test, more: Parameters<typeof startService>[4] = {}) {
  const key = makeKey('pro', { per_minute: 4_000_000, per_day: 4_000_000 })
  const catalog = await fixtureCatalog()
  const service = await startService(t, [key], catalog, undefined, more)
  const open = async () => {
    const connection = await Connection.open(service.port)
    t.teardown(() => connection.socket.destroy())
    return connection
  }
  return { ...service, catalog, key: key.key, record: key.record, auth: { 'x-api-key': key.key }, open }
}

const itemsIn = ({ text }: Connection) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).data.items.length
const COMPLETE = /\}\}$/

testOnEngines('other requests are answered while a hundred long titles are classified', async t => {
  const { catalog, key, open } = await stage(t)
  const [batch, lookup, health, title] = [await open(), await open(), await open(), await open()]
  const answeredAfter: Record<string, number> = {}
  const seen = watch(catalog, done => {
    if (done !== 3) return
    lookup.send(getting('/api/v1/hs-codes/8523', key))
    health.send(getting('/api/v1/health', key))
    title.send(getting(`${PATH}?text=horses`, key))
  })
  for (const [name, connection] of Object.entries({ lookup, health, title, batch }))
    connection.socket.once('data', () => {
      answeredAfter[name] = seen.done
    })
  batch.send(posting(key))
  await batch.until(COMPLETE)
  t.equal(itemsIn(batch), COUNT)
  t.equal(answeredAfter.batch, COUNT + 1)
  for (const name of ['lookup', 'health', 'title'])
    t.ok((answeredAfter[name] as number) < COUNT / 2, `${name} after ${answeredAfter[name]} of ${COUNT}`)
})

testOnEngines(
  'no turn of the event loop classifies two items, however many batches there are; a short batch ends first',
  async t => {
    const { catalog, key, open } = await stage(t)
    let turn = 0
    let isOver = false
    const count = () => {
      turn++
      if (!isOver) setImmediate(count)
    }
    count()
    const turns: number[] = []
    watch(catalog, () => turns.push(turn))
    const all = await Promise.all(Array.from({ length: 4 }, open))
    const ended: number[] = []
    for (const [n, connection] of all.entries()) connection.socket.once('data', () => ended.push(n))
    for (const [n, connection] of all.entries()) connection.send(posting(key, n === 3 ? 2 : COUNT))
    for (const [n, connection] of all.entries()) {
      await connection.until(COMPLETE)
      t.equal(itemsIn(connection), n === 3 ? 2 : COUNT)
    }
    isOver = true
    t.equal(turns.length, 3 * COUNT + 2)
    t.equal(new Set(turns).size, turns.length)
    t.equal(ended[0], 3)
  },
)

testOnEngines('if a client disconnects, its work ends and its place is free again', async t => {
  const { catalog, key, open, faults, post, auth } = await stage(t)
  let gone: Connection | undefined
  const seen = watch(catalog, done => {
    if (done === 5) gone?.socket.destroy()
  })
  for (let times = 0; times <= KEY_BATCHES_MAX; times++) {
    seen.done = 0
    gone = await open()
    gone.send(posting(key))
    await gone.closed
    // wait until nothing more is classified
    for (let before = -1; before !== seen.done; ) {
      before = seen.done
      for (let turns = 0; turns < 10; turns++) await nextTurn()
    }
    t.ok(seen.done < COUNT, `${seen.done} of ${COUNT} texts were classified`)
  }
  gone = undefined
  t.equal((await post(PATH, { items: items(3) }, auth)).body.data.items.length, 3)
  t.strictSame(faults, [])
})

testOnEngines('an answer comes from a single dataset, even if another is loaded in the meantime', async t => {
  const { catalog, key, open, server, post, auth } = await stage(t)
  const next = await fixtureCatalog()
  const ofNext = watch(next, () => {})
  const seen = watch(catalog, done => {
    if (done === 5) server.serve(next)
  })
  const batch = await open()
  batch.send(posting(key))
  await batch.until(COMPLETE)
  t.equal(itemsIn(batch), COUNT)
  t.strictSame([seen.done, ofNext.done], [COUNT, 0])
  await post(PATH, { items: items(3) }, auth)
  t.strictSame([seen.done, ofNext.done], [COUNT, 3])
})

testOnEngines('a stopping server finishes the batches in progress, then closes', async t => {
  const { catalog, key, open, server } = await stage(t)
  let closed: Promise<number> | undefined
  watch(catalog, done => {
    if (done === 5) closed = server.close()
  })
  const batch = await open()
  batch.send(posting(key))
  await batch.closed
  t.match(batch.text, /^HTTP\/1\.1 200 OK/)
  t.match(batch.text, /connection: close/i)
  t.equal(itemsIn(batch), COUNT)
  t.equal(await closed, 0, 'no request was cut off')
})

testOnEngines('an exception in the middle of a batch gives a 500 and ends no other request', async t => {
  const { catalog, post, auth, faults, ids } = await stage(t)
  watch(catalog, done => {
    if (done === 5) throw new Error('a simulated bug')
  })
  const { status, body } = await post(PATH, { items: items(10) }, auth)
  t.equal(status, 500)
  t.equal(body.error.details.request_id, ids[0])
  t.match(faults, [{ message: 'a simulated bug' }])
  t.equal((await post(PATH, { items: items(10) }, auth)).status, 200)
})

testOnEngines('rate limit headers are those of the key of the batch, even if another key was used in the meantime', async t => {
  const [key, other] = [makeKey('free', { per_minute: 123, per_day: 1000 }), makeKey('pro')]
  const catalog = await fixtureCatalog()
  const { port } = await startService(t, [key, other], catalog)
  const [batch, lookup] = [await Connection.open(port), await Connection.open(port)]
  watch(catalog, done => {
    if (done === 5) lookup.send(getting('/api/v1/hs-codes/8523', other.key))
  })
  batch.send(posting(key.key))
  await batch.until(COMPLETE)
  t.match(lookup.text, /X-RateLimit-Limit-Minute: 200\r\nX-RateLimit-Remaining-Minute: 199\r\n/)
  t.match(batch.text, /X-RateLimit-Limit-Minute: 123\r\nX-RateLimit-Remaining-Minute: 23\r\n/)
  for (const { socket } of [batch, lookup]) socket.destroy()
})

testOnEngines(
  'a key may have a limited number of batches in progress; one more gets 503 busy with Retry-After, never 429',
  async t => {
    const { post, auth, catalog } = await stage(t)
    const { classifier } = catalog
    classifier.classify = () => ({ status: 'unknown', candidates: [], question: undefined })
    const answers = await Promise.all(
      Array.from({ length: KEY_BATCHES_MAX + 4 }, () => post(PATH, { items: items(COUNT) }, auth)),
    )
    const statuses = answers.map(({ status }) => status)
    t.equal(statuses.filter(status => status === 200).length, KEY_BATCHES_MAX)
    const others = answers.filter(({ status }) => status !== 200)
    t.strictSame(
      others.map(({ status, body }) => [status, body.error.code]),
      others.map(() => [503, 'busy']),
    )
    const [refused] = others
    t.match(refused?.body.error.message, /too many batch requests in progress/)
    t.equal(refused?.headers.get('retry-after'), '1')
    t.equal((await post(PATH, { items: items(COUNT) }, auth)).status, 200)
  },
)

testOnEngines('a batch releases its place when Redis refuses it, or when the client disconnects while Redis decides', async t => {
  const gate = new ManualGate()
  const { record, key, open, post, auth } = await stage(t, { gate })
  gate.setKey(record)
  let decisions = 0
  for (let times = 0; times <= KEY_BATCHES_MAX; times++) {
    const refused = await open()
    refused.send(posting(key, 3))
    ;(await gate.nth(++decisions)).decide(Verdict.Admitted)
    const rest = await gate.nth(++decisions)
    t.equal(rest.requests, 2)
    rest.decide(Verdict.OverLimit)
    await refused.until(/"rate_limit_exceeded"/)
    const gone = await open()
    gone.send(posting(key, 3))
    ;(await gate.nth(++decisions)).decide(Verdict.Admitted)
    await gate.nth(++decisions)
    const before = gate.cancelled
    gone.socket.destroy()
    await until('the server has noticed the disconnection', () => gate.cancelled > before)
  }
  const last = post(PATH, { items: items(3) }, auth)
  for (let times = 0; times < 2; times++) (await gate.nth(++decisions)).decide(Verdict.Admitted)
  t.equal((await last).status, 200)
})
