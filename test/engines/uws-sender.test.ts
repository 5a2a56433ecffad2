import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { HttpResponse } from '../../src/engines/engine.js'
import { subnetOf } from '../../src/engines/ip-address.js'
import { UwsSender } from '../../src/engines/uws-sender.js'

const MEGABYTE = 1024 * 1024
const HEAD = new ArrayBuffer(300)
const BODY = new Uint8Array(25_000)
const SHORT = new Uint8Array(300)

/** A simulated client, because newer versions of the engine do not load everywhere. */
class Client {
  readonly isReading: boolean
  readonly address: readonly number[]
  /** Bytes that the engine buffers for this client. */
  held = 0
  isClosed = false
  answers = 0

  constructor(isReading: boolean, address: readonly number[] = [192, 0, 2, 1]) {
    this.isReading = isReading
    this.address = address
  }

  response(): HttpResponse {
    const take = (bytes: number) => {
      this.answers++
      if (!this.isReading) this.held += bytes
    }
    const res = {
      writeStatus: () => res,
      writeHeader: () => res,
      onAborted: () => res,
      cork: (write: () => void) => {
        write()
        return res
      },
      end: (body: Uint8Array) => {
        take(body.byteLength)
        return res
      },
      endWithoutBody: () => {
        take(0)
        return res
      },
      tryEnd: (body: Uint8Array) => {
        if (this.isReading) take(body.byteLength)
        return [this.isReading, this.isReading]
      },
      getWriteOffset: () => 0,
      getRemoteAddress: () => Uint8Array.from(this.address).buffer,
      close: () => {
        this.isClosed = true
        this.held = 0
      },
    }
    return res as unknown as HttpResponse
  }
}

t.test('a client that never reads is closed once a megabyte is buffered for it, even within one turn', async t => {
  const sender = new UwsSender(true, 64 * MEGABYTE)
  const client = new Client(false)
  let most = 0
  for (let i = 0; i < 10_000 && !client.isClosed; i++) {
    sender.send(client.response(), HEAD, BODY, false)
    most = Math.max(most, client.held)
  }
  t.ok(client.isClosed)
  t.ok(most < 1.2 * MEGABYTE, `${most} bytes`)
})

t.test('clients that never read and send requests slowly hold no more than the limit together', async t => {
  for (const body of [BODY, SHORT]) {
    let now = 0
    const sender = new UwsSender(true, 8 * MEGABYTE, undefined, () => now)
    const clients = Array.from({ length: 5 }, () => new Client(false))
    const reader = new Client(true)
    let most = 0
    const turns = body === BODY ? 3_000 : 120_000
    for (let i = 0; i < turns; i++) {
      const client = clients[i % clients.length] as Client
      if (!client.isClosed) sender.send(client.response(), HEAD, body, false)
      sender.send(reader.response(), HEAD, SHORT, false)
      most = Math.max(
        most,
        clients.reduce((sum, { held }) => sum + held, 0),
      )
      now += 1
      if (i % 20 === 0) await nextTurn()
    }
    t.ok(
      clients.every(({ isClosed }) => isClosed),
      'all of them were closed',
    )
    t.ok(most < 12 * MEGABYTE, `${(most / MEGABYTE).toFixed(1)} MB at most`)
    t.notOk(reader.isClosed)
    t.equal(reader.answers, turns, 'clients that read get every response')
  }
})

t.test('after the strict time, slow readers get responses again', async t => {
  let now = 0
  const sender = new UwsSender(true, MEGABYTE / 2, undefined, () => now)
  const first = new Client(false)
  for (let i = 0; i < 100 && !first.isClosed; i++) sender.send(first.response(), HEAD, BODY, false)
  t.ok(first.isClosed)
  await nextTurn()
  const strict = new Client(false)
  for (let i = 0; i < 3; i++) sender.send(strict.response(), HEAD, BODY, false)
  t.ok(strict.isClosed, 'at the first check')
  now += 12_001
  await nextTurn()
  const later = new Client(false)
  for (let i = 0; i < 3; i++) sender.send(later.response(), HEAD, BODY, false)
  t.notOk(later.isClosed)
})

t.test('responses without bodies count towards the limit, too', async t => {
  const sender = new UwsSender(true, 64 * MEGABYTE)
  const client = new Client(false)
  let sent = 0
  for (; sent < 100_000 && !client.isClosed; sent++) sender.sendHead(client.response(), HEAD, 1000, false)
  t.ok(client.isClosed)
  t.ok(sent * 420 < 1.2 * MEGABYTE)
})

t.test('on an engine that may lose responses, every response is checked once the buffer may be full', async t => {
  const sender = new UwsSender(false, 64 * MEGABYTE)
  const client = new Client(true)
  let ended = 0
  let tried = 0
  for (let i = 0; i < 100; i++) {
    const res = client.response()
    const { end, tryEnd } = res
    res.end = (body, close) => {
      ended++
      return end(body, close)
    }
    res.tryEnd = (body, total) => {
      tried++
      return tryEnd(body, total)
    }
    sender.send(res, HEAD, SHORT, false)
  }
  t.ok(ended * (300 + 300) < 15_000, `${ended} ended`)
  t.equal(ended + tried, 100)
  await nextTurn()
  const behind = new Client(false)
  for (let i = 0; i < 100 && !behind.isClosed; i++) sender.send(behind.response(), HEAD, SHORT, false)
  t.ok(behind.isClosed, 'a head that may have been lost is not followed by a body')
})

t.test(
  'if heads are never read, their socket is looked up, and for a while the next request from its address is closed',
  async t => {
    let now = 0
    let questions = 0
    const silent = new Client(false, [192, 0, 2, 66])
    const reader = new Client(true)
    const sender = new UwsSender(
      true,
      MEGABYTE,
      async () => {
        questions++
        return new Set([subnetOf(Uint8Array.from(silent.address))])
      },
      () => now,
    )
    const drip = async (client: Client, heads: number) => {
      for (let i = 0; i < heads; i++) {
        sender.sendHead(client.response(), HEAD, 0, false)
        if (i % 16 === 0) await nextTurn()
      }
    }
    const ENOUGH = Math.ceil(MEGABYTE / 2 / 420) + 16
    await drip(reader, ENOUGH - 100)
    t.equal(questions, 0, 'a few unread heads do not matter')
    await drip(silent, 150)
    t.equal(questions, 1)
    t.ok(silent.isClosed)
    await drip(reader, 100)
    t.notOk(reader.isClosed, 'other clients are not closed')
    now += 13_000
    const again = new Client(false, silent.address)
    await drip(again, 1)
    t.notOk(again.isClosed, 'after a while the address is accepted again')
  },
)

t.test('if stalled readers cannot be found, heads are still sent, and the search is repeated', async t => {
  let questions = 0
  const sender = new UwsSender(true, MEGABYTE, async () => {
    questions++
    throw new Error('no such table')
  })
  const client = new Client(true)
  for (let i = 0; i < 5000; i++) {
    sender.sendHead(client.response(), HEAD, 0, false)
    if (i % 16 === 0) await nextTurn()
  }
  t.notOk(client.isClosed)
  t.equal(client.answers, 5000)
  t.ok(questions > 1, `${questions} questions`)
})
