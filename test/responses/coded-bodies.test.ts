/** The cache of compressed bodies: what it compresses, and its limits. */
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { CodedBodies, type CodedBody } from '../../src/responses/coded-bodies.js'
import { until } from '../support/until.js'

const TAIL = new TextEncoder().encode(',"end"}')
const BODY = new TextEncoder().encode(`{"data":"${'x'.repeat(2_000)}","end"}`)
const find = (bodies: CodedBodies, target: string) => bodies.find(target, BODY, TAIL.length)

/** Requests a target until its compressed body is ready. */
async function ready(bodies: CodedBodies, target: string): Promise<CodedBody> {
  let found: CodedBody | undefined
  await until('the body is compressed', () => {
    found = find(bodies, target)
    return found !== undefined
  })
  return found as CodedBody
}

t.test('a body is compressed when it is requested again, and decompresses to the same bytes', async t => {
  const bodies = new CodedBodies()
  t.equal(find(bodies, '/a'), undefined)
  const coded = await ready(bodies, '/a')
  t.strictSame(gunzipSync(Buffer.from(coded.renew(TAIL, 1).buffer)), Buffer.from(BODY))
  t.equal(find(bodies, '/a'), coded)
  bodies.clear()
  t.equal(find(bodies, '/a'), undefined, 'another dataset has other bodies')
})

t.test('the body of a target of 512 characters is compressed, that of a longer one is not', async t => {
  const bodies = new CodedBodies()
  const [longest, tooLong] = ['x'.repeat(512), 'x'.repeat(513)]
  for (let times = 0; times < 3; times++) find(bodies, tooLong)
  await ready(bodies, longest)
  t.equal(find(bodies, tooLong), undefined)
})

t.test('four bodies at most are compressed at the same time', async t => {
  const bodies = new CodedBodies()
  const targets = ['/1', '/2', '/3', '/4', '/5']
  for (const target of [...targets, ...targets]) find(bodies, target)
  for (const target of targets.slice(0, 4)) await ready(bodies, target)
  t.equal(find(bodies, '/5'), undefined)
  await ready(bodies, '/5')
})

t.test('only 4,096 targets are remembered as requested once', async t => {
  const bodies = new CodedBodies()
  find(bodies, '/first')
  for (let n = 0; n < 4_096; n++) find(bodies, `/${n}`)
  find(bodies, '/first')
  // its compression would have started before this one
  await ready(bodies, '/4095')
  t.equal(find(bodies, '/first'), undefined)
})

t.test('a body whose compression ends after a change of the dataset is not kept', async t => {
  const bodies = new CodedBodies()
  find(bodies, '/a')
  find(bodies, '/a')
  bodies.clear()
  find(bodies, '/b')
  await ready(bodies, '/b')
  t.equal(find(bodies, '/a'), undefined)
})
