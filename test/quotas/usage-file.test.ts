import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { UsageFile } from '../../src/quotas/usage-file.js'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const DAY = 20_577
let today = DAY
const fileOf = (directory: string, isShared = false) => new UsageFile(directory, isShared, () => today * 86_400_000)
const usage = (keyId: string, day: number, dayCount: number) => ({
  keyId,
  day,
  dayCount,
  minuteStartMs: day * 86_400_000,
  minuteCount: dayCount,
})

t.test('new counts are added to those in the files, whether the files were closed or not', async t => {
  const directory = temporaryDirectory(t)
  const file = fileOf(directory)
  t.strictSame(await file.load(), [])
  t.strictSame(await file.exchange([usage('a', DAY, 7), usage('b', DAY, 1)]), [usage('a', DAY, 7), usage('b', DAY, 1)])
  t.strictSame(await file.exchange([usage('a', DAY, 2)]), [usage('a', DAY, 9)])
  t.strictSame(
    await fileOf(directory).load(),
    [usage('a', DAY, 9), usage('b', DAY, 1)],
    'the counts can be read without closing, as after a kill',
  )
  for (const name of readdirSync(directory)) t.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name)
  await file.close()
  t.strictSame(readdirSync(directory), ['usage.json'], 'after a stop there is one file without a log')
  t.strictSame(await fileOf(directory).load(), [usage('a', DAY, 9), usage('b', DAY, 1)])
  for (const name of readdirSync(directory)) t.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name)
})

t.test('exchanged counts are neither lost nor doubled, even if a process ends at a bad moment', async t => {
  const turn = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 9 })) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('kill while writing' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 25, size: 'max' }), async turns => {
      const directory = temporaryDirectory(t)
      let file = fileOf(directory)
      const spent = new Map<string, number>()
      for (const what of turns) {
        if (typeof what !== 'string') {
          const [id, count] = what
          spent.set(id, (spent.get(id) ?? 0) + count)
          await file.exchange([usage(id, DAY, count)])
          continue
        }
        if (what === 'restart') await file.close()
        if (what === 'kill while writing') {
          const log = readdirSync(directory).find(name => name.endsWith('.log'))
          if (log !== undefined) appendFileSync(join(directory, log), '["a",20577,99')
        }
        file = fileOf(directory)
        await file.load()
      }
      const counts = new Map((await fileOf(directory).load()).map(u => [u.keyId, u.dayCount]))
      return counts.size === spent.size && [...spent].every(([id, count]) => counts.get(id) === count)
    }),
    { numRuns: 60 },
  )
  t.pass('the property holds for all generated cases')
})

t.test('a long log is merged into the file, and ended days are removed', async t => {
  const directory = temporaryDirectory(t)
  const file = fileOf(directory)
  t.teardown(() => {
    today = DAY
  })
  const many = Array.from({ length: 9_000 }, (_, i) => usage(`key${i}`, DAY, 1))
  for (let i = 0; i < 4; i++) await file.exchange(many)
  today = DAY + 3
  await file.exchange([usage('b', DAY + 1, 3), usage('c', DAY, 1)])
  for (let i = 0; i < 4; i++) await file.exchange(many.map(one => ({ ...one, day: DAY + 1 })))
  const logs = readdirSync(directory).filter(name => name.endsWith('.log'))
  t.equal(logs.length, 1)
  t.ok(existsSync(join(directory, 'usage.json')))
  t.ok(statSync(join(directory, logs[0] as string)).size < 2 * 1024 * 1024)
  const loaded = new Map((await fileOf(directory).load()).map(u => [u.keyId, u]))
  t.match(loaded.get('b'), { day: DAY + 1, dayCount: 3 })
  t.match(loaded.get('key5'), { day: DAY + 1, dayCount: 4 })
  t.equal(loaded.size, 9_002)
  await file.close()
  const kept = new Map((await fileOf(directory).load()).map(u => [u.keyId, u]))
  t.equal(kept.size, 9_001)
  t.equal(kept.get('c'), undefined, 'a key that was last used three days ago is removed')
})

t.test('after a write that fails midway, earlier counts are kept, and the next exchange writes all counts', async t => {
  const directory = temporaryDirectory(t)
  const file = fileOf(directory)
  await file.exchange([usage('a', DAY, 1)])
  const probe = await open('/dev/null', 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { datasync } = prototype
  t.teardown(() => Object.assign(prototype, { datasync }))
  prototype.datasync = () => Promise.reject(new Error('the disk is full'))
  await t.rejects(file.exchange([usage('a', DAY, 5)]), /the disk is full/)
  prototype.datasync = datasync
  t.strictSame(await file.exchange([usage('a', DAY, 6)]), [usage('a', DAY, 7)])
  t.strictSame(await fileOf(directory).load(), [usage('a', DAY, 7)])
})

t.test('servers that share the directory add up their counts', async t => {
  const directory = temporaryDirectory(t)
  const files = [0, 1, 2].map(() => fileOf(directory, true))
  for (const file of files) await file.load()
  await Promise.all(
    files.map(async file => {
      for (let i = 0; i < 12; i++) await file.exchange([usage('a', DAY, 1), usage(`b${i % 3}`, DAY, 2)])
    }),
  )
  t.match(
    await (files[0] as UsageFile).exchange([usage('a', DAY, 1)]),
    [{ dayCount: 37 }],
    'each server gets the counts of the others',
  )
  for (const file of files) await file.close()
  const alone = fileOf(directory)
  const counts = Object.fromEntries((await alone.load()).map(u => [u.keyId, u.dayCount]))
  t.strictSame(counts, { a: 37, b0: 24, b1: 24, b2: 24 })
})

t.test('one server merges the log while the others keep using it', async t => {
  const directory = temporaryDirectory(t)
  const [a, b] = [fileOf(directory, true), fileOf(directory, true)]
  const many = Array.from({ length: 9_000 }, (_, i) => usage(`key${i}`, DAY, 1))
  for (let i = 0; i < 3; i++) {
    await a.exchange(many)
    t.match(await b.exchange([usage('key0', DAY, 1)]), [{ dayCount: 2 * (i + 1) }])
  }
  const loaded = new Map((await fileOf(directory).load()).map(u => [u.keyId, u.dayCount]))
  t.equal(loaded.get('key0'), 6)
  t.equal(loaded.get('key8999'), 3)
})

t.test('a server continues to count in the new log after another server has merged the old log', async t => {
  const directory = temporaryDirectory(t)
  const [a, b] = [fileOf(directory, true), fileOf(directory, true)]
  await b.exchange([usage('key', DAY, 1)])
  // two such rows exceed the maximum length of a log
  const long = usage('x'.repeat(600_000), DAY, 1)
  for (let i = 0; i < 3; i++) await a.exchange([long])
  t.match(readdirSync(directory), ['usage.1.log', 'usage.json'], 'the first log was merged')
  for (let i = 2; i < 7; i++) t.match(await b.exchange([usage('key', DAY, 1)]), [{ dayCount: i }])
  t.match(await a.exchange([usage('key', DAY, 1)]), [{ dayCount: 7 }])
  const loaded = new Map((await fileOf(directory).load()).map(u => [u.keyId, u.dayCount]))
  t.equal(loaded.get('key'), 7)
})

t.test('a count of a day far ahead, from a wrong clock, is not kept and does not remove other keys', async t => {
  const directory = temporaryDirectory(t)
  const file = fileOf(directory)
  await file.exchange([usage('a', DAY + 400, 7), usage('b', DAY, 1), usage('c', DAY + 1, 4)])
  t.match(await file.exchange([usage('a', DAY, 2), usage('c', DAY, 1)]), [
    { day: DAY, dayCount: 2 },
    { day: DAY + 1, dayCount: 4 },
  ])
  await file.close()
  const known = new Map((await fileOf(directory).load()).map(row => [row.keyId, row]))
  t.strictSame([...known.keys()].sort(), ['a', 'b', 'c'])
  t.equal(known.get('b')?.dayCount, 1)
})

t.test('a file of the first version can be read', async t => {
  const directory = temporaryDirectory(t)
  writeFileSync(join(directory, 'usage.json'), `{"version":1,"usage":[\n["a",${DAY},7,0,2]\n]}\n`)
  const file = fileOf(directory)
  t.match(await file.load(), [{ keyId: 'a', dayCount: 7, minuteCount: 2 }])
  await file.exchange([usage('a', DAY, 1)])
  await file.close()
  t.match(JSON.parse(readFileSync(join(directory, 'usage.json'), 'utf8')), { version: 2 })
})

t.test('a disk that fills up during a write loses no confirmed counts', async t => {
  const directory = temporaryDirectory(t)
  // makes exchanges until one fails, and prints how many succeeded
  const script = `
    import { UsageFile } from './dist/src/quotas/usage-file.js'
    const file = new UsageFile(process.argv[1])
    const spent = Array.from({ length: 500 }, (_, i) => (
      { keyId: 'key' + i, day: ${DAY}, dayCount: 1, minuteStartMs: 0, minuteCount: 1 }
    ))
    let taken = 0
    try {
      for (;;) taken = (await file.exchange(spent), taken + 1)
    } catch (error) {
      console.log(JSON.stringify({ taken, code: error.code }))
    }`
  // a limit on the file size cuts a write short, as a full disk does
  const limited = 'unset NODE_OPTIONS; ulimit -f 400; exec "$0" --input-type=module -e "$1" "$2"'
  const out = execFileSync('sh', ['-c', limited, process.execPath, script, directory], { cwd: ROOT })
  const { taken, code } = JSON.parse(String(out))
  t.equal(code, 'EFBIG')
  t.ok(taken > 1)
  const known = await new UsageFile(directory).load()
  t.strictSame([...new Set(known.map(({ dayCount }) => dayCount))], [taken])
  const file = new UsageFile(directory)
  await file.load()
  await file.exchange([usage('key0', DAY, 1)])
  const after = (await new UsageFile(directory).load()).find(({ keyId }) => keyId === 'key0')
  t.equal(after?.dayCount, taken + 1, 'the file can still be used')
})

t.test("fractions, counts beyond 31 bits and other damage are refused with the file's name", async t => {
  const directory = temporaryDirectory(t)
  for (const text of [
    '',
    'null',
    '{"version":9}',
    '{"version":9,"usage":[]}',
    '{"version":1,"usage":[[7,1,1,0,0]]}',
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
    await t.rejects(fileOf(directory).load(), /usage\.json: this is not a usage file of version 2/, text)
  }
  writeFileSync(join(directory, 'usage.json'), '{"version":1,"usage":[["a",1,2147483647,0,0]]}')
  t.match(await fileOf(directory).load(), [{ dayCount: 2_147_483_647 }])
  writeFileSync(join(directory, 'usage.0.log'), 'nonsense\n')
  await t.rejects(fileOf(directory).load(), /usage\.0\.log: this is not a log of counts/)
})

/** Files of a directory that are open in this process. */
const openIn = (directory: string) =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(directory) ? [basename(path)] : []
    } catch {
      return []
    }
  })

t.test('an exchange has one open file, the log; after closing, no file is open', async t => {
  for (const isShared of [false, true]) {
    const directory = temporaryDirectory(t)
    const earlier = fileOf(directory)
    await earlier.exchange([usage('a', DAY, 1)])
    await earlier.close()
    const file = fileOf(directory, isShared)
    await file.load()
    for (let i = 0; i < 10; i++) await file.exchange([usage('a', DAY, 1)])
    t.strictSame(openIn(directory), ['usage.1.log'])
    await file.close()
    t.strictSame(openIn(directory), [])
  }
})

t.test('unreadable counts are reported with the setting and the path', async t => {
  const directory = temporaryDirectory(t)
  mkdirSync(join(directory, 'usage.json'))
  await t.rejects(fileOf(directory).load(), /^HSAPI_DATA_DIR: .*usage\.json: EISDIR/)
})
