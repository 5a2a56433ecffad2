import t from 'tap'
import { HsapiClient } from '../../src/client/index.js'
import { clientOn, fakeServer } from '../support/client.js'
import { makeKey, testOnEngines } from '../support/service.js'

/** Returns 'answered', or the code of the error that takes the place of an answer. */
const codeOf = (answer: object) => ('error' in answer ? (answer.error as { code: string }).code : 'answered')

async function allOf<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}

async function* stream<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}

testOnEngines(
  'a stream is resolved in order, 1,000 codes per request, and is read only as fast as answers are consumed',
  async t => {
    const { client, seen } = await clientOn(t)
    let read = 0
    const codes = function* () {
      for (; read < 2_345; read++) yield String(read)
    }
    const answers = client.resolveAll(stream(codes()), { edition: '2017' })
    const inputs: unknown[] = []
    for await (const answer of answers) {
      if (inputs.length === 0) t.equal(read, 999, 'only one batch was read before the first answer')
      inputs.push('input' in answer && answer.input)
    }
    t.strictSame(
      inputs,
      Array.from({ length: 2_345 }, (_, i) => String(i)),
    )
    t.strictSame(
      seen.map(one => JSON.parse(one.body)).map(({ codes, edition }) => [codes.length, edition]),
      [
        [1000, '2017'],
        [1000, '2017'],
        [345, '2017'],
      ],
    )
    t.strictSame(await allOf(client.classifyAll([])), [])
  },
)

testOnEngines('an invalid item gets an error in place of an answer, with its position in the whole list', async t => {
  const { client } = await clientOn(t, { batch: 3 })
  const items = ['horses', 'x', { text: 'cards' }, 'cards', { text: 'cards', hs_code: '99' }, 'y', 'tapes'] as const
  const answers = await allOf(client.classifyAll(items, { level: 4, limit: 1 }))
  t.strictSame(answers.map(codeOf), [
    'answered',
    'invalid_parameter',
    'answered',
    'answered',
    'invalid_parameter',
    'invalid_parameter',
    'answered',
  ])
  t.match(answers[1], { item: 'x', error: { message: /^The parameter items\[1\]\.text must/ } })
  t.match(answers[4], { item: { text: 'cards', hs_code: '99' }, error: { message: /items\[4\]\.hs_code/ } })
  t.match(answers[5], { item: 'y', error: { message: /items\[5\]\.text/ } })
  const codes = ['85', 85 as unknown as string, '0', '01']
  const resolved = await allOf(client.resolveAll(codes))
  t.strictSame(resolved.map(codeOf), ['answered', 'invalid_parameter', 'answered', 'answered'])
  t.match(resolved[1], { item: 85, error: { message: /string/ } })
  t.strictSame((await allOf(client.classifyAll(['x', 'y', 'z']))).map(codeOf), Array(3).fill('invalid_parameter'))
})

testOnEngines('the client waits whenever the limit per minute is used up, and sends no batch larger than that limit', async t => {
  const { client, waits, seen } = await clientOn(t, {}, makeKey('free', { per_minute: 3, per_day: 100 }))
  const codes = Array.from({ length: 20 }, (_, i) => String(10 + i))
  const answers = await allOf(client.resolveAll(codes))
  t.strictSame(
    answers.map(answer => 'input' in answer && answer.input),
    codes,
  )
  t.ok(waits.length >= 6 && waits.every(ms => ms >= 1_000 && ms <= 60_250), String(waits))
  t.strictSame(
    [...new Set(seen.slice(1).map(one => JSON.parse(one.body).codes.length))],
    [3, 2],
    'after the first request, no batch is larger than the limit',
  )
})

testOnEngines('if a wait would exceed waitMsMax, the stream fails after the answers so far', async t => {
  const { client } = await clientOn(t, { batch: 1 }, makeKey('free', { per_minute: 10, per_day: 2 }))
  const answered: unknown[] = []
  const all = async () => {
    for await (const answer of client.resolveAll(['01', '85', '90'])) answered.push(answer)
  }
  await t.rejects(all(), { code: 'rate_limit_exceeded', retryAfter: 43_200 })
  t.equal(answered.length, 2)
})

testOnEngines('if a list is longer than the limit per day, the client returns answers until the limit is used up', async t => {
  const { client } = await clientOn(t, {}, makeKey('free', { per_minute: 10, per_day: 3 }))
  await client.health()
  t.match(client.limits, { limitMinute: 10, limitDay: 3, remainingDay: 3 })
  const answered: unknown[] = []
  const all = async () => {
    for await (const answer of client.resolveAll(['01', '85', '90', '0101', '8523'])) answered.push(answer)
  }
  await t.rejects(all(), { code: 'rate_limit_exceeded' })
  t.equal(answered.length, 3)
})

t.test('a refusal that names an item outside the list is thrown, and the list is not sent again', async t => {
  const error = { code: 'invalid_parameter', message: 'No.', details: { parameter: 'items[1].text' } }
  let requests = 0
  const { url } = await fakeServer(t, (_, res) => {
    // stops a client that would send the same list forever
    const status = ++requests > 3 ? 500 : 400
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ success: false, error }))
  })
  await t.rejects(allOf(new HsapiClient({ url }).classifyAll(['cards'])), {
    code: 'invalid_parameter',
    status: 400,
    details: error.details,
  })
  t.equal(requests, 1)
})

t.test('status 413 for a single item becomes the error of that item; status 413 for a longer list is thrown', async t => {
  const refusal = { success: false, error: { code: 'body_too_large', message: 'The body is too large.' } }
  let requests = 0
  const { url } = await fakeServer(t, (_, res) => {
    requests++
    res.writeHead(413, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
  })
  const client = new HsapiClient({ url, retries: 0 })
  t.strictSame((await allOf(client.classifyAll(['cards']))).map(codeOf), ['body_too_large'])
  await t.rejects(allOf(client.classifyAll(['cards', 'horses'])), { code: 'body_too_large', status: 413 })
  t.equal(requests, 2)
})

t.test('errors of the whole request, and network errors, are thrown', async t => {
  const { client } = await clientOn(t)
  await t.rejects(allOf(client.classifyAll(['cards'], { limit: 0 })), { code: 'invalid_parameter' })
  t.throws(() => client.resolveAll(['01'], { editon: '2017' } as never), {
    code: 'invalid_parameter',
    message: /did you mean edition/,
  })
  t.throws(() => client.resolveAll('0101'), { code: 'invalid_parameter', message: /codes/ })
  const controller = new AbortController()
  const stopped = client.resolveAll(['01'], { signal: controller.signal })
  controller.abort(new Error('stop'))
  await t.rejects(stopped.next(), /stop/)
  const { url } = await fakeServer(t, (_, res) => res.writeHead(500).end('no'))
  await t.rejects(new HsapiClient({ url }).resolveAll(['01']).next(), { code: 'unexpected_answer' })
})
