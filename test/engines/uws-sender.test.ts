import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { HttpResponse } from '../../src/engines/engine.js'
import { subnetOf } from '../../src/engines/ip-address.js'
import { UwsSender } from '../../src/engines/uws-sender.js'

const MEGABYTE = 1024 * 1024
const HEAD = new ArrayBuffer(300)
const BODY = new Uint8Array(25_000)
const SHORT = new Uint8Array(300)

/** A simulated client, because newer versions of uWebSockets.js do not load on every machine. */
class Client {
  readonly isReading: boolean
  readonly address: readonly number[]
  /** Bytes that the engine buffers for this client. */
  bufferedBytes = 0
  isClosed = false
  answers = 0

  constructor(isReading: boolean, address: readonly number[] = [192, 0, 2, 1]) {
    this.isReading = isReading
    this.address = address
  }

  response(): HttpResponse {
    const take = (bytes: number) => {
      this.answers++
      if (!this.isReading) this.bufferedBytes += bytes
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
        this.bufferedBytes = 0
      },
    }
    return res as unknown as HttpResponse
  }
}

t.test(
  'a client that never reads is closed once about a megabyte is buffered for it, even within one turn of the event loop',
  async t => {
    const sender = new UwsSender(true, 64 * MEGABYTE)
    const client = new Client(false)
    let most = 0
    for (let i = 0; i < 10_000 && !client.isClosed; i++) {
      sender.send(client.response(), HEAD, BODY, false)
      most = Math.max(most, client.bufferedBytes)
    }
    t.ok(client.isClosed)
    t.ok(most < 1.2 * MEGABYTE, `at most ${most} bytes were buffered`)
  },
)

t.test(
  'the bytes buffered for several clients that never read stay near the limit, even if they send requests slowly',
  async t => {
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
          clients.reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0),
        )
        now += 1
        if (i % 20 === 0) await nextTurn()
      }
      t.ok(
        clients.every(({ isClosed }) => isClosed),
        'all clients that never read are closed',
      )
      t.ok(most < 12 * MEGABYTE, `at most ${(most / MEGABYTE).toFixed(1)} MB were buffered`)
      t.notOk(reader.isClosed)
      t.equal(reader.answers, turns, 'a client that reads gets every response')
    }
  },
)

t.test('a single response may be longer than the limit of a turn', async t => {
  const sender = new UwsSender(true, 64 * MEGABYTE)
  const client = new Client(false)
  sender.send(new Client(true).response(), HEAD, BODY, false)
  await nextTurn()
  sender.send(client.response(), HEAD, new Uint8Array(2 * MEGABYTE), false)
  t.notOk(client.isClosed)
  t.equal(client.bufferedBytes, 2 * MEGABYTE)
  for (let i = 0; i < 10 && !client.isClosed; i++) sender.send(client.response(), HEAD, BODY, false)
  t.ok(client.isClosed)
})

t.test('after the limit is exceeded, slow readers are closed early for 12 seconds', async t => {
  let now = 0
  const sender = new UwsSender(true, MEGABYTE / 2, undefined, () => now)
  const first = new Client(false)
  for (let i = 0; i < 100 && !first.isClosed; i++) sender.send(first.response(), HEAD, BODY, false)
  t.ok(first.isClosed)
  await nextTurn()
  const strict = new Client(false)
  for (let i = 0; i < 3; i++) sender.send(strict.response(), HEAD, BODY, false)
  t.ok(strict.isClosed, 'during this time, a slow reader is closed at the first check')
  now += 12_001
  await nextTurn()
  const later = new Client(false)
  for (let i = 0; i < 3; i++) sender.send(later.response(), HEAD, BODY, false)
  t.notOk(later.isClosed, 'after this time, a slow reader is not closed')
})

t.test('responses without bodies also count towards the limit', async t => {
  const sender = new UwsSender(true, 64 * MEGABYTE)
  const client = new Client(false)
  let sent = 0
  for (; sent < 100_000 && !client.isClosed; sent++) sender.sendHead(client.response(), HEAD, 1000, false)
  t.ok(client.isClosed)
  t.ok(sent * 420 < 1.2 * MEGABYTE)
})

t.test('on an engine that may lose responses, the sender checks every response once the buffer may be full', async t => {
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
  t.ok(ended * (300 + 300) < 15_000, `${ended} responses were sent without a check`)
  t.equal(ended + tried, 100)
  await nextTurn()
  const slow = new Client(false)
  for (let i = 0; i < 100 && !slow.isClosed; i++) sender.send(slow.response(), HEAD, SHORT, false)
  t.ok(slow.isClosed, 'a client whose response could not be sent whole is closed')
})

t.test(
  'a subnet that never reads responses is found in the kernel tables, and its connections are closed for a while',
  async t => {
    let now = 0
    let lookups = 0
    const silent = new Client(false, [192, 0, 2, 66])
    const reader = new Client(true)
    const sender = new UwsSender(
      true,
      MEGABYTE,
      async () => {
        lookups++
        return new Set([subnetOf(Uint8Array.from(silent.address))])
      },
      () => now,
    )
    const sendHeads = async (client: Client, heads: number) => {
      for (let i = 0; i < heads; i++) {
        sender.sendHead(client.response(), HEAD, 0, false)
        if (i % 16 === 0) await nextTurn()
      }
    }
    const HEADS_UNTIL_LOOKUP = Math.ceil(MEGABYTE / 2 / 420) + 16
    await sendHeads(reader, HEADS_UNTIL_LOOKUP - 100)
    t.equal(lookups, 0, 'a few unread heads start no lookup')
    await sendHeads(silent, 150)
    t.equal(lookups, 1)
    t.ok(silent.isClosed)
    await sendHeads(reader, 100)
    t.notOk(reader.isClosed, 'other clients are not closed')
    now += 13_000
    const again = new Client(false, silent.address)
    await sendHeads(again, 1)
    t.notOk(again.isClosed, 'after 13 seconds, the subnet is accepted again')
  },
)

t.test('if the lookup of stalled readers fails, heads are still sent, and the lookup is repeated', async t => {
  let lookups = 0
  const sender = new UwsSender(true, MEGABYTE, async () => {
    lookups++
    throw new Error('no such table')
  })
  const client = new Client(true)
  for (let i = 0; i < 5000; i++) {
    sender.sendHead(client.response(), HEAD, 0, false)
    if (i % 16 === 0) await nextTurn()
  }
  t.notOk(client.isClosed)
  t.equal(client.answers, 5000)
  t.ok(lookups > 1, `there were ${lookups} lookups`)
})
