import { renameSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { KeyFile, type KeyRecord } from '../../src/gate/key-file.js'
import { KeyFollower } from '../../src/process/follow-keys.js'
import { temporaryDirectory } from '../support/service.js'

const OPTIONS = { tier: 'free', name: 'n', expiresAt: null, perMinute: null, perDay: null } as const
const NOW = '2026-05-04T12:00:00+00:00'

async function followed(file: KeyFile) {
  const { record } = await file.create(OPTIONS, NOW)
  const told: string[][] = []
  const lines: string[] = []
  const setKeys = (keys: KeyRecord[]) => told.push(keys.map(({ id }) => id))
  const follower = new KeyFollower(file, await file.stamp(), setKeys, line => lines.push(line))
  return { record, told, lines, follower }
}

t.test('a change is told, and no change is not', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record, told, follower } = await followed(file)
  await follower.look()
  t.strictSame(told, [])
  const second = await file.create(OPTIONS, NOW)
  await follower.look()
  await follower.look()
  t.strictSame(told, [[record.id, second.record.id]])
})

t.test('a key file that is moved away leaves its keys in force, and a line says so once', async t => {
  const file = new KeyFile(temporaryDirectory(t))
  const { record, told, lines, follower } = await followed(file)
  renameSync(file.path, `${file.path}.away`)
  await follower.look()
  await follower.look()
  t.strictSame(told, [])
  t.equal(lines.length, 1)
  t.match(lines[0], /keys\.json is gone; the keys read before stay in force/)
  renameSync(`${file.path}.away`, file.path)
  await follower.look()
  t.strictSame(told, [[record.id]], 'it is read again once it is back')
})

t.test('what changes while a damaged file is being read is not lost', async t => {
  /** Mended by someone else between the read that fails and whatever comes after it. */
  class Mended extends KeyFile {
    damaged = false
    override async read() {
      if (!this.damaged) return super.read()
      this.damaged = false
      const failed = super.read()
      await failed.catch(() => {})
      rmSync(this.path)
      await this.create(OPTIONS, NOW)
      return failed
    }
  }
  const file = new Mended(temporaryDirectory(t))
  const { told, lines, follower } = await followed(file)
  writeFileSync(file.path, '{')
  file.damaged = true
  await follower.look()
  t.match(lines, [/this is not JSON/])
  await follower.look()
  t.equal(told.length, 1)
})
