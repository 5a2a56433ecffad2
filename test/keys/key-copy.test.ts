/** The copy of the key file is used if the file is damaged or missing, and has every change that was confirmed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { KeyFile } from '../../src/keys/key-file.js'
import { ROOT } from '../support/cli.js'
import { smallDisk, WITHOUT_DISK } from '../support/disk.js'
import { temporaryDirectory } from '../support/service.js'

const OPTIONS = { tier: 'free', name: 'n', expiresAt: null, perMinute: null, perDay: null } as const
const NOW = '2026-05-04T12:00:00+00:00'

/** Kinds of damage to a file. */
const DAMAGES: [string, (path: string) => void][] = [
  ['emptied', path => writeFileSync(path, '')],
  ['cut in the middle', path => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['missing its last two bytes', path => truncateSync(path, statSync(path).size - 2)],
  ['full of zeros', path => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ['followed by other bytes', path => appendFileSync(path, 'more')],
  ['followed by another line', path => appendFileSync(path, '{}\n')],
  ['of another version', path => writeFileSync(path, '{"version":2,"keys":[]}')],
  ['changed in one line', path => writeFileSync(path, readFileSync(path, 'utf8').replace('"tier":"free"', '"tier":"none"'))],
  ['removed', path => rmSync(path)],
]

async function withKeys(t: Test) {
  const directory = temporaryDirectory(t)
  const notices: string[] = []
  const file = new KeyFile(directory, { notify: sentence => notices.push(sentence) })
  const [kept, revoked, rotated] = [
    await file.create(OPTIONS, NOW),
    await file.create(OPTIONS, NOW),
    await file.create(OPTIONS, NOW),
  ]
  await file.revoke(revoked.record.id, NOW)
  await file.rotate(rotated.record.id, NOW)
  return { directory, file, notices, kept, revoked, keys: await file.read() }
}

for (const [how, damage] of DAMAGES) {
  t.test(`if the key file is ${how}, its copy is read instead, with a notice`, async t => {
    const { file, notices, keys } = await withKeys(t)
    t.equal(readFileSync(file.copy?.path ?? '', 'utf8'), readFileSync(file.path, 'utf8'))
    damage(file.path)
    t.strictSame(await file.read(), keys)
    t.match(notices, [/keys\.json.*; the keys are read from its copy, .*keys-copy\.json$/])
  })

  t.test(`if the key file is ${how}, a change restores it, keeps the damaged file, and reports this`, async t => {
    const { directory, file, notices, keys, kept, revoked } = await withKeys(t)
    damage(file.path)
    const damaged = how === 'removed' ? undefined : readFileSync(file.path)
    await file.revoke(kept.record.id, NOW)
    const after = await file.readStrictly()
    t.strictSame(
      after?.map(({ id, hash }) => [id, hash]),
      keys?.map(({ id, hash }) => [id, hash]),
      'no key is lost',
    )
    for (const { record } of [kept, revoked]) t.equal(after?.find(({ id }) => id === record.id)?.revoked_at, NOW)
    t.strictSame(await file.copy?.readStrictly(), after)
    t.match(notices, [/keys\.json.*; it was restored from its copy, .*keys-copy\.json/])
    const found = readdirSync(directory).filter(name => name.startsWith('keys.json.damaged-'))
    t.strictSame(
      found.map(name => readFileSync(join(directory, name))),
      damaged === undefined ? [] : [damaged],
    )
  })
}

t.test('a start from the copy reserves room for all of its keys', async t => {
  const { file, keys } = await withKeys(t)
  rmSync(file.path)
  t.ok((await file.keysAtMost()) >= (keys?.length ?? 0))
})

t.test('a refused change restores nothing', async t => {
  const { directory, file, revoked } = await withKeys(t)
  writeFileSync(file.path, '{')
  await t.rejects(file.revoke(revoked.record.id, NOW), /already revoked/)
  t.equal(readFileSync(file.path, 'utf8'), '{')
  t.strictSame(readdirSync(directory).sort(), ['keys-copy.json', 'keys.json'])
})

t.test('if file and copy are damaged, or one is damaged and the other missing, nothing is read or overwritten', async t => {
  const { file } = await withKeys(t)
  const copy = file.copy?.path ?? ''
  for (const [main, other] of [
    ['{', '{'],
    ['{', undefined],
    [undefined, '{'],
  ]) {
    for (const [path, text] of [
      [file.path, main],
      [copy, other],
    ] as const)
      if (text === undefined) rmSync(path, { force: true })
      else writeFileSync(path, text)
    const expected =
      main === undefined
        ? /keys-copy\.json: this is not JSON$/
        : /keys\.json: this is not JSON, and its copy .* is (?:damaged|missing)/
    await t.rejects(file.read(), expected)
    await t.rejects(file.create(OPTIONS, NOW), expected)
    if (main !== undefined) t.equal(readFileSync(file.path, 'utf8'), main)
  }
})

t.test('if the disk has space for only one of the two files, neither is changed', { skip: WITHOUT_DISK }, async t => {
  const disk = smallDisk(t)
  const file = new KeyFile(join(disk.path, 'data'))
  const { record } = await file.create(OPTIONS, NOW)
  const before = readFileSync(file.path, 'utf8')
  disk.fill()
  await t.rejects(file.revoke(record.id, NOW), /ENOSPC/)
  for (const path of [file.path, file.copy?.path ?? '']) t.equal(readFileSync(path, 'utf8'), before)
})

/** Runs `script` with `file`, `OPTIONS` and `NOW` in a separate process. */
function inProcess(directory: string, script: string) {
  const module = pathToFileURL(join(ROOT, 'dist/src/keys/key-file.js')).href
  const source = `
    import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { KeyFile } = await import(${JSON.stringify(module)})
    const file = new KeyFile(${JSON.stringify(directory)})
    const OPTIONS = ${JSON.stringify(OPTIONS)}
    const NOW = ${JSON.stringify(NOW)}
    ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', data => {
    output += data
  })
  return { child, output: () => output, ended: once(child, 'close') }
}

t.test('a process killed before it writes the copy has confirmed nothing, and the copy can be renewed', async t => {
  const directory = temporaryDirectory(t)
  const file = new KeyFile(directory)
  const { record } = await file.create(OPTIONS, NOW)
  const { ended, output } = inProcess(
    directory,
    `const { rename } = fs
    fs.rename = async (from, to) => {
      await rename(from, to)
      if (to === file.path) process.kill(process.pid, 'SIGKILL')
    }
    syncBuiltinESMExports()
    await file.revoke(${JSON.stringify(record.id)}, NOW)
    console.log('reported')`,
  )
  await ended
  t.equal(output(), '')
  t.equal((await file.readStrictly())?.[0]?.revoked_at, NOW)
  t.equal((await file.copy?.readStrictly())?.[0]?.revoked_at, null)
  await file.renewCopy()
  t.equal((await file.copy?.readStrictly())?.[0]?.revoked_at, NOW)
})

t.test('a process killed at any moment leaves both files readable, with every change that it confirmed', async t => {
  const directory = temporaryDirectory(t)
  const file = new KeyFile(directory)
  await file.create(OPTIONS, NOW)
  const reported = new Map<string, string>()
  for (let round = 0; round < 12; round++) {
    const { child, ended, output } = inProcess(
      directory,
      `for (;;) {
        const { record } = await file.create(OPTIONS, NOW)
        console.log(record.id + ' created')
        await file.revoke(record.id, NOW)
        console.log(record.id + ' revoked')
      }`,
    )
    await once(child.stdout, 'data')
    await new Promise(done => setTimeout(done, Math.random() * 30))
    child.kill('SIGKILL')
    await ended
    for (const line of output().split('\n').slice(0, -1)) {
      const [id = '', what = ''] = line.split(' ')
      reported.set(id, what)
    }
    for (const one of [file, file.copy]) {
      const found = new Map((await one?.readStrictly())?.map(record => [record.id, record]))
      for (const [id, what] of reported) {
        t.ok(found.has(id), `${id} is in ${one?.path}`)
        if (what === 'revoked') t.equal(found.get(id)?.revoked_at, NOW)
      }
    }
  }
  t.ok(reported.size > 0)
})
