import { spawn } from 'node:child_process'
import { chownSync, closeSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { writeAtomic } from '../../src/files/atomic-file.js'
import { temporaryDirectory } from '../support/service.js'

/** Runs a write and returns its disk operations in order. */
async function operationsOf(t: Test, run: () => Promise<void>): Promise<string[]> {
  const probe = await open('/dev/null', 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const operations: string[] = []
  const { sync, writeFile } = prototype
  prototype.sync = async function (this: FileHandle) {
    operations.push((await this.stat()).isDirectory() ? 'sync the directory' : 'sync the file')
    return sync.call(this)
  }
  prototype.writeFile = async function (this: FileHandle, ...rest: Parameters<FileHandle['writeFile']>) {
    operations.push('write')
    return writeFile.apply(this, rest)
  }
  t.teardown(() => Object.assign(prototype, { sync, writeFile }))
  await run()
  return operations
}

t.test('a process that has opened the old file still reads all of it after a write', async t => {
  const file = join(temporaryDirectory(t), 'f')
  writeFileSync(file, 'old content')
  const before = statSync(file).ino
  const reader = openSync(file, 'r')
  await writeAtomic(file, 'new')
  const bytes = Buffer.alloc(64)
  t.equal(bytes.toString('utf8', 0, readSync(reader, bytes)), 'old content')
  closeSync(reader)
  t.equal(readFileSync(file, 'utf8'), 'new')
  t.not(statSync(file).ino, before)
})

t.test('a write ends when the content, and after it the directory, have been written to the disk', async t => {
  const file = join(temporaryDirectory(t), 'f')
  const operations = await operationsOf(t, () => writeAtomic(file, 'x'))
  t.strictSame(operations, ['write', 'sync the file', 'sync the directory'])
})

t.test('a failed write leaves the old file and no other file', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'f')
  // a directory cannot be replaced by a file
  await t.rejects(writeAtomic(directory, 'x'))
  t.strictSame(readdirSync(directory), [])
  writeFileSync(file, 'old')
  const probe = await open('/dev/null', 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { sync } = prototype
  t.teardown(() => Object.assign(prototype, { sync }))
  prototype.sync = () => Promise.reject(new Error('the disk is full'))
  await t.rejects(writeAtomic(file, 'new'), /the disk is full/)
  prototype.sync = sync
  t.equal(readFileSync(file, 'utf8'), 'old')
  t.strictSame(readdirSync(directory), ['f'], 'no temporary file is left')
})

t.test('if a process is killed while it writes, the file has all of the old content or all of the new', async t => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'f')
  const module = new URL('../../dist/src/files/atomic-file.js', import.meta.url).href
  const script = `
    import { writeAtomic } from ${JSON.stringify(module)}
    for (let i = 0; ; i++) {
      await writeAtomic(${JSON.stringify(file)}, String(i % 10).repeat(3_000_000))
      if (i === 0) console.log('started')
    }`
  for (let round = 0; round < 4; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    const closed = new Promise(done => child.on('close', done))
    await new Promise(done => child.stdout.once('data', done))
    await new Promise(done => setTimeout(done, 37 * round))
    child.kill('SIGKILL')
    await closed
    const text = readFileSync(file, 'utf8')
    t.equal(text, text.slice(0, 1).repeat(3_000_000))
  }
})

t.test('a write keeps the mode and owner of the old file', async t => {
  const file = join(temporaryDirectory(t), 'f')
  await writeAtomic(file, 'x', 0o600)
  t.equal(statSync(file).mode & 0o777, 0o600)
  const { chmodSync } = await import('node:fs')
  chmodSync(file, 0o640)
  await writeAtomic(file, 'y', 0o600)
  t.equal(statSync(file).mode & 0o777, 0o640)
  if (process.getuid?.() !== 0) return
  chownSync(file, 1234, 4321)
  await writeAtomic(file, 'z', 0o600)
  t.match(statSync(file), { uid: 1234, gid: 4321 })
  const directory = temporaryDirectory(t)
  chownSync(directory, 1234, 4321)
  await writeAtomic(join(directory, 'new'), 'x', 0o600)
  t.match(statSync(join(directory, 'new')), { uid: 1234, gid: 4321 }, 'a new file belongs to the owner of its directory')
})
