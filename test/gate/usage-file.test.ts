import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { UsageFile } from '../../src/gate/usage-file.js'
import { temporaryDirectory } from '../support/service.js'

const DAY = 20_577
const usage = (keyId: string, day: number, dayCount: number) => ({
  keyId,
  day,
  dayCount,
  minuteStartMs: day * 86_400_000,
  minuteCount: dayCount,
})

t.test('what was spent is added to what the file says', async t => {
  const directory = temporaryDirectory(t)
  const file = new UsageFile(directory)
  t.strictSame(await file.load(), [])
  t.strictSame(await file.exchange([usage('a', DAY, 7), usage('b', DAY, 1)]), [
    usage('a', DAY, 7),
    usage('b', DAY, 1),
  ])
  t.strictSame(await file.exchange([usage('a', DAY, 2)]), [usage('a', DAY, 9)])
  t.strictSame(await new UsageFile(directory).load(), [usage('a', DAY, 9), usage('b', DAY, 1)])
})

t.test('yesterday is forgotten', async t => {
  const directory = temporaryDirectory(t)
  const file = new UsageFile(directory)
  await file.exchange([usage('a', DAY, 7), usage('b', DAY, 1)])
  await file.exchange([usage('b', DAY + 1, 3)])
  t.strictSame(await new UsageFile(directory).load(), [usage('b', DAY + 1, 3)])
})

t.test('fractions, counts beyond 31 bits and other damage are refused with the file’s name', async t => {
  const directory = temporaryDirectory(t)
  for (const text of [
    '',
    'null',
    '{"version":9}',
    '{"version":1,"usage":7}',
    '{"version":1,"usage":[7]}',
    '{"version":1,"usage":[["a",-1,0,0,0]]}',
    '{"version":1,"usage":[["a",1,0.5,0,0]]}',
    '{"version":1,"usage":[["a",1,2147483648,0,0]]}',
    '{"version":1,"usage":[["a",1,1,0,2147483648]]}',
    '{"version":1,"usage":[["a",1,1,0,"1"]]}',
    '{"version":1,"usage":[["a",1,1]]}',
  ]) {
    writeFileSync(join(directory, 'usage.json'), text)
    await t.rejects(
      new UsageFile(directory).load(),
      /usage\.json: this is not a usage file of version 1/,
      text,
    )
  }
  writeFileSync(join(directory, 'usage.json'), '{"version":1,"usage":[["a",1,2147483647,0,0]]}')
  t.match(await new UsageFile(directory).load(), [{ dayCount: 2_147_483_647 }])
})
