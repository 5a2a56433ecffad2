import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { OperatorError } from '../../src/errors.js'
import { Gate } from '../../src/gate/gate.js'
import { KeyFile } from '../../src/keys/key-file.js'
import type { OnLine } from '../../src/keys/key-lines.js'
import { KeyFollower } from '../../src/process/follow-keys.js'
import { Counters } from '../../src/quotas/counters.js'
import { Verdict } from '../../src/quotas/verdict.js'
import { START_MS, temporaryDirectory } from '../support/service.js'

const OPTIONS = { tier: 'free', name: 'n', expiresAt: null, perMinute: null, perDay: null } as const
const NOW = '2026-05-04T12:00:00+00:00'

async function followed(file: KeyFile, capacity = 16) {
  const { record } = await file.create(OPTIONS, NOW)
  const gate = new Gate(Counters.create(capacity))
  const lines: string[] = []
  const follower = new KeyFollower(file, line => lines.push(line))
  await follower.load(gate)
  /** The slots of each change. */
  const published: number[][] = []
  follower.start(slots => published.push(slots))
  // no polling: tests call `checkForChanges`
  follower.stop()
  const verdict = (key: string) => gate.peek(key, START_MS)
  return { record, gate, published, lines, follower, verdict }
}

t.test('a change to the key file is sent to the threads once; if the file is unchanged, nothing is sent', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { published, follower, verdict } = await followed(file)
  await follower.checkForChanges()
  t.strictSame(published, [])
  const second = await file.create(OPTIONS, NOW)
  await follower.checkForChanges()
  await follower.checkForChanges()
  t.strictSame(published, [[1]])
  t.equal(verdict(second.key), Verdict.Admitted)
})

t.test('if the key file is moved away, its keys stay valid, and this is logged once', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record, gate, published, lines, follower } = await followed(file)
  renameSync(file.path, `${file.path}.away`)
  await follower.checkForChanges()
  await follower.checkForChanges()
  t.strictSame(published, [])
  t.equal(lines.length, 1)
  t.match(lines[0], /keys\.json is gone; the keys loaded earlier stay in force/)
  t.ok(gate.isInForce(gate.slotOf(record.id)))
  renameSync(`${file.path}.away`, file.path)
  await file.revoke(record.id, NOW)
  await follower.checkForChanges()
  t.strictSame(published, [[0]], 'the file is read again once it is back')
})

/** A key file that is changed right after it was read. */
class Changed extends KeyFile {
  meanwhile: (() => Promise<unknown>) | undefined
  override async readLines(onLine: OnLine) {
    const found = await super.readLines(onLine)
    const { meanwhile } = this
    this.meanwhile = undefined
    await meanwhile?.()
    return found
  }
}

t.test('a change made while the file is being read is not lost', async t => {
  const file = new Changed(temporaryDirectory(t))
  const { record, published, lines, follower, gate } = await followed(file)
  await file.create(OPTIONS, NOW)
  file.meanwhile = () => file.revoke(record.id, NOW)
  await follower.checkForChanges()
  t.ok(gate.isInForce(gate.slotOf(record.id)))
  await follower.checkForChanges()
  t.notOk(gate.isInForce(gate.slotOf(record.id)))
  t.strictSame(published, [[1], [0]])
  t.match(lines, [/keys read again from .*keys\.json: 1 added, 0 changed, 0 removed$/, /: 0 added, 1 changed, 0 removed$/])
})

t.test('a change made while a damaged file is being read is not lost', async t => {
  const file = new Changed(temporaryDirectory(t))
  const { published, lines, follower } = await followed(file)
  writeFileSync(file.path, '{"version":1,"keys":[\n{"id":7}\n]}\n')
  const failing = file.readLines
  file.readLines = async onLine => {
    file.readLines = failing
    const failed = file.readLines(onLine)
    await failed.catch(() => {})
    rmSync(file.path)
    await file.create(OPTIONS, NOW)
    return failed
  }
  await follower.checkForChanges()
  t.match(lines, [/this is not a key file of version 1; the keys loaded earlier stay in force/])
  t.strictSame(published, [])
  await follower.checkForChanges()
  t.strictSame(published, [[1]], 'the earlier key was restored from the copy, and the new key was added')
})

/** A key file that cannot be opened for a while, as if too many files were open. */
class Unreadable extends KeyFile {
  tries = 0
  failures = 0
  override async readLines(onLine: OnLine) {
    this.tries++
    if (this.failures-- > 0) throw new OperatorError(`${this.path}: EMFILE`, { cause: new Error('EMFILE') })
    return super.readLines(onLine)
  }
}

t.test('a revocation takes effect once the file can be read, and a failure to read it is logged once', async t => {
  const file = new Unreadable(temporaryDirectory(t))
  const { record, published, lines, follower, gate } = await followed(file)
  await file.revoke(record.id, NOW)
  file.failures = 3
  for (let i = 0; i < 3; i++) await follower.checkForChanges()
  t.ok(gate.isInForce(gate.slotOf(record.id)))
  t.match(lines, [/keys\.json: EMFILE; the keys loaded earlier stay in force/])
  t.equal(lines.length, 1)
  await follower.checkForChanges()
  t.notOk(gate.isInForce(gate.slotOf(record.id)))
  t.strictSame(published, [[0]])
  t.match(lines.slice(1), [/keys read again from .*: 0 added, 1 changed, 0 removed$/, /keys\.json can be read again/])
  const { tries } = file
  await follower.checkForChanges()
  t.equal(file.tries, tries, 'a file that could be read is not read again')
})

t.test('a damaged file is read once, and again only when it changes', async t => {
  const file = new Unreadable(temporaryDirectory(t))
  const { lines, follower } = await followed(file)
  for (const damage of ['{"version":1,"keys":[\n{"id":7}\n]}\n', '{"version":2}', 'no JSON']) {
    writeFileSync(file.path, damage)
    file.tries = 0
    for (let i = 0; i < 3; i++) await follower.checkForChanges()
    t.equal(file.tries, 1, damage)
  }
  t.equal(lines.length, 3)
})

t.test('keys for which no slot is free are logged, with advice; existing keys can still be revoked', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record, lines, follower, gate, verdict } = await followed(file, 2)
  const [second, third] = [await file.create(OPTIONS, NOW), await file.create(OPTIONS, NOW)]
  await follower.checkForChanges()
  t.match(lines.pop(), /^hsapi: 1 new key in .*keys\.json is not in force: .*restart the server to make room$/)
  t.match(lines, [/: 1 added, 0 changed, 0 removed$/])
  t.equal(verdict(second.key), Verdict.Admitted)
  t.equal(verdict(third.key), Verdict.InvalidKey)
  await file.revoke(record.id, NOW)
  await follower.checkForChanges()
  t.notOk(gate.isInForce(gate.slotOf(record.id)))
})

t.test('a start with a damaged or missing key file uses its copy, reports this, and recovers with the next change', async t => {
  for (const damage of [(path: string) => writeFileSync(path, '{"version":1,'), (path: string) => rmSync(path)]) {
    const file = new KeyFile(temporaryDirectory(t))
    const [valid, revoked] = [await file.create(OPTIONS, NOW), await file.create(OPTIONS, NOW)]
    await file.revoke(revoked.record.id, NOW)
    damage(file.path)
    const gate = new Gate(Counters.create(16))
    const lines: string[] = []
    const follower = new KeyFollower(file, (line, level) => lines.push(`${level} ${line}`))
    t.equal(await follower.load(gate), true)
    t.equal(gate.peek(valid.key, START_MS), Verdict.Admitted)
    t.equal(gate.peek(revoked.key, START_MS), Verdict.InvalidKey)
    t.match(lines, [/^error hsapi: .*keys\.json.*; started with the keys of its copy, .*keys-copy\.json$/])
    t.match(follower.problem, /started with the keys of its copy/)
    t.equal(follower.isDamaged, true)
    await follower.checkForChanges()
    t.equal(lines.length, 1)
    await file.revoke(valid.record.id, NOW)
    await follower.checkForChanges()
    t.equal(gate.peek(valid.key, START_MS), Verdict.InvalidKey)
    t.strictSame([follower.problem, follower.isDamaged], [undefined, false])
  }
})

t.test('a start copies the key file if its copy is missing or older', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  await file.create(OPTIONS, NOW)
  const copied = () => readFileSync(file.copy?.path ?? '', 'utf8')
  for (const damage of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, '{"version":1,"keys":[\n]}\n')]) {
    damage(file.copy?.path ?? '')
    const follower = new KeyFollower(file, line => t.fail(line))
    t.equal(await follower.load(new Gate()), true)
    t.equal(copied(), readFileSync(file.path, 'utf8'))
    t.equal(follower.problem, undefined)
  }
})

t.test('a revoked key is revoked in the copy, whether revoked by hand or by a command', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record, follower, gate } = await followed(file)
  const text = readFileSync(file.path, 'utf8')
  writeFileSync(file.path, text.replace('"revoked_at":null', `"revoked_at":"${NOW}"`))
  await follower.checkForChanges()
  t.notOk(gate.isInForce(gate.slotOf(record.id)))
  t.equal((await file.copy?.readStrictly())?.[0]?.revoked_at, NOW)
})

t.test('a copy that cannot be written is reported, and changes still take effect', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record, lines, follower, gate } = await followed(file)
  rmSync(file.copy?.path ?? '')
  mkdirSync(file.copy?.path ?? '')
  const text = readFileSync(file.path, 'utf8')
  writeFileSync(file.path, text.replace('"revoked_at":null', `"revoked_at":"${NOW}"`))
  await follower.checkForChanges()
  t.notOk(gate.isInForce(gate.slotOf(record.id)))
  t.match(follower.problem, /the copy of .*keys\.json cannot be written/)
  t.equal(lines.filter(line => line.includes('cannot be written')).length, 1)
})

t.test('a damaged file never becomes the copy', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { follower } = await followed(file)
  const before = readFileSync(file.copy?.path ?? '', 'utf8')
  writeFileSync(file.path, '{')
  await follower.checkForChanges()
  t.match(follower.problem, /this is not JSON; the keys loaded earlier stay in force/)
  t.equal(follower.isDamaged, true)
  await t.rejects(file.renewCopy(), /this is not JSON/)
  t.equal(readFileSync(file.copy?.path ?? '', 'utf8'), before)
})

t.test('the first key that a server creates is not logged as a change; the next key is', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const gate = new Gate(Counters.create(16))
  const lines: string[] = []
  const follower = new KeyFollower(file, line => lines.push(line))
  t.equal(await follower.load(gate), false, 'there is neither a key file nor a copy')
  const { key } = await follower.createFirst(OPTIONS, NOW)
  await follower.checkForChanges()
  t.equal(gate.peek(key, START_MS), Verdict.Admitted)
  t.strictSame(lines, [])
  await file.create(OPTIONS, NOW)
  await file.create(OPTIONS, NOW)
  await follower.checkForChanges()
  t.match(lines, [/: 2 added, 0 changed, 0 removed$/])
})

t.test('if the copy cannot be written, the server tries again after half a minute, and a success clears the problem', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { lines, follower } = await followed(file)
  const path = file.copy?.path ?? ''
  rmSync(path)
  mkdirSync(path)
  writeFileSync(file.path, readFileSync(file.path, 'utf8').replace('"revoked_at":null', `"revoked_at":"${NOW}"`))
  await follower.checkForChanges()
  rmSync(path, { recursive: true })
  for (let i = 0; i < 100; i++) await follower.checkForChanges()
  t.match(follower.problem, /cannot be written/)
  await follower.checkForChanges()
  t.equal(follower.problem, undefined)
  t.equal(readFileSync(path, 'utf8'), readFileSync(file.path, 'utf8'))
  t.equal(lines.filter(line => line.includes('cannot be written')).length, 1)
})

t.test('a failure that comes back after a success is logged again', async t => {
  const file = new Unreadable(temporaryDirectory(t))
  const { lines, follower } = await followed(file)
  for (let round = 0; round < 2; round++) {
    await file.create(OPTIONS, NOW)
    file.failures = 1
    await follower.checkForChanges()
    await follower.checkForChanges()
  }
  t.equal(lines.filter(line => line.includes('EMFILE')).length, 2)
  t.equal(lines.filter(line => line.endsWith('can be read again')).length, 2)
})

t.test('a copy that still cannot be written is not reported again, nor while the file itself is damaged', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { lines, follower } = await followed(file)
  const path = file.copy?.path ?? ''
  rmSync(path)
  mkdirSync(path)
  writeFileSync(file.path, readFileSync(file.path, 'utf8').replace('"revoked_at":null', `"revoked_at":"${NOW}"`))
  for (let i = 0; i < 250; i++) await follower.checkForChanges()
  const about = (what: string) => lines.filter(line => line.includes(what)).length
  t.equal(about('cannot be written'), 1)
  writeFileSync(file.path, '{')
  for (let i = 0; i < 250; i++) await follower.checkForChanges()
  t.strictSame([about('cannot be written'), about('stay in force')], [1, 1])
})

t.test('a failure for another reason is logged as well', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { lines, follower } = await followed(file)
  await file.create(OPTIONS, NOW)
  for (const reason of ['EMFILE', 'EMFILE', 'EIO']) {
    file.readLines = async () => {
      throw new OperatorError(reason)
    }
    await follower.checkForChanges()
  }
  t.match(lines, [/EMFILE/, /EIO/])
  t.equal(lines.length, 2)
})

t.test('a revocation is in the copy before it takes effect', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { follower } = await followed(file)
  const copied: string[] = []
  follower.start(() => copied.push(readFileSync(file.copy?.path ?? '', 'utf8')))
  follower.stop()
  writeFileSync(file.path, readFileSync(file.path, 'utf8').replace('"revoked_at":null', `"revoked_at":"${NOW}"`))
  await follower.checkForChanges()
  t.equal(copied.length, 1)
  t.match(copied[0], `"revoked_at":"${NOW}"`)
})

t.test('a start without usable keys is refused, and names what is wrong', async t => {
  const load = (file: KeyFile) => new KeyFollower(file, () => {}).load(new Gate())
  const damaged = new KeyFile(temporaryDirectory(t))
  await damaged.create(OPTIONS, NOW)
  writeFileSync(damaged.path, '{')
  rmSync(damaged.copy?.path ?? '')
  await t.rejects(load(damaged), /keys\.json: this is not JSON, and its copy keys-copy\.json is missing/)
  const missing = new KeyFile(temporaryDirectory(t))
  await missing.create(OPTIONS, NOW)
  rmSync(missing.path)
  writeFileSync(missing.copy?.path ?? '', '{')
  await t.rejects(load(missing), { message: /keys-copy\.json: this is not JSON(?!.* its copy)/ })
})
