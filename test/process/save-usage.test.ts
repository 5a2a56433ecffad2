import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Gate } from '../../src/gate/gate.js'
import { UsageSaver } from '../../src/process/save-usage.js'
import { UsageFile } from '../../src/quotas/usage-file.js'
import { MovableClock, makeKey, temporaryDirectory } from '../support/service.js'

t.test('counts that could not be saved are saved the next time; the failure and the recovery are each logged once', async t => {
  const directory = join(temporaryDirectory(t), 'data')
  const { key, record } = makeKey('free')
  const clock = new MovableClock()
  const gate = new Gate()
  gate.setKey(record)
  const lines: string[] = []
  const saver = new UsageSaver(new UsageFile(directory, false, () => clock.now()), gate, clock, line => lines.push(line))

  // a file in place of the directory makes saving fail
  writeFileSync(directory, '')
  gate.admit(key, clock.now())
  await saver.save()
  gate.admit(key, clock.now())
  await saver.save()
  t.equal(lines.length, 1)
  t.match(lines[0], /usage cannot be saved: ENOTDIR/)
  t.equal(saver.failures, 2)
  t.match(saver.problem, /ENOTDIR/)

  rmSync(directory)
  mkdirSync(directory)
  await saver.save()
  t.match(lines[1], /usage is being saved again/)
  t.equal(saver.problem, undefined)
  t.match(await new UsageFile(directory).load(), [{ keyId: record.id, dayCount: 2, minuteCount: 2 }])

  gate.admit(key, clock.now())
  await saver.stop()
  t.match(await new UsageFile(directory).load(), [{ dayCount: 3 }], 'the last counts are saved at a stop')
  t.equal(statSync(join(directory, 'usage.json')).mode & 0o777, 0o600, 'only the owner can read the file')
  t.equal(lines.length, 2)
})

t.test('a stop that cannot save the last counts reports how many are lost', async t => {
  const directory = join(temporaryDirectory(t), 'data')
  writeFileSync(directory, '')
  const { key, record } = makeKey('free')
  const clock = new MovableClock()
  const gate = new Gate()
  gate.setKey(record)
  const saver = new UsageSaver(new UsageFile(directory, false, () => clock.now()), gate, clock, () => {})
  for (let i = 0; i < 3; i++) gate.admit(key, clock.now())
  await t.rejects(saver.stop(), /counts not saved and lost \(requests: 3, keys: 1\): ENOTDIR/)
})
