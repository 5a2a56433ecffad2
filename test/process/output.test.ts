import { type StdioOptions, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { MAIN, prepared, ROOT, run } from '../support/cli.js'
import { ask } from '../support/service.js'

const PORT = String(21_000 + (process.pid % 20_000))

async function answers(url: string): Promise<boolean> {
  for (let i = 0; i < 200; i++) {
    const isUp = await ask(url, '/api/v1/health').then(
      ({ body }) => body.data.status === 'ok',
      () => false,
    )
    if (isUp) return true
    await wait(25)
  }
  return false
}

for (const [what, stdio] of [
  ['a full disk', () => ['ignore', openSync('/dev/full', 'w'), openSync('/dev/full', 'w')]],
  ['a pipe that nobody reads any more', () => ['ignore', 'pipe', 'pipe']],
] as [string, () => StdioOptions][]) {
  t.test(`a server whose log goes to ${what} keeps serving`, async t => {
    const env = { ...(await prepared(t)), HSAPI_PORT: PORT, PATH: process.env.PATH ?? '' }
    const child = spawn(process.execPath, [MAIN, 'serve'], { cwd: ROOT, env, stdio: stdio() })
    child.stdout?.destroy()
    child.stderr?.destroy()
    const ended = new Promise<number | null>(done => child.on('exit', code => done(code)))
    t.teardown(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const url = `http://127.0.0.1:${PORT}`
    t.ok(await answers(url))
    // a reload makes the server write a line
    t.equal((await run(['reload'], env)).code, 0)
    t.ok(await answers(url))
    child.kill('SIGTERM')
    t.equal(await ended, 0)
  })
}

t.test('a command reports that its output cannot be written, but exits quietly if the reader of a pipe is gone', async t => {
  const env = { ...(await prepared(t)), PATH: process.env.PATH ?? '' }
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [MAIN, '--help'], { env, stdio: ['ignore', full, 'pipe'] })
  let errors = ''
  child.stderr?.on('data', data => {
    errors += data
  })
  t.equal(await new Promise(done => child.on('close', done)), 2)
  t.match(errors, /^hsapi: standard output cannot be written: .*ENOSPC.*\n$/)
  const left = spawn(process.execPath, [MAIN, '--help'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  left.stdout?.destroy()
  t.equal(await new Promise(done => left.on('close', done)), 0)
  t.equal((await run(['--version'])).code, 0)
})
