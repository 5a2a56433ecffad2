import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES, temporaryDirectory } from '../support/service.js'

interface Fault {
  env: Record<string, string>
  /** Triggers the fault. */
  happen(): void
}

/** Code that every thread runs when triggered, as if it were a bug. */
function fault(t: Test, code: string): Fault {
  const directory = temporaryDirectory(t)
  const [file, trigger] = [join(directory, 'preload.mjs'), join(directory, 'now')]
  writeFileSync(
    file,
    `import { existsSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(trigger)})) return
      clearInterval(timer)
      ${code}
    }, 20).unref()`,
  )
  return { env: { NODE_OPTIONS: `--import ${file}` }, happen: () => writeFileSync(trigger, '') }
}

const skip = ENGINES.includes('uws') ? false : 'threads need uWebSockets.js'

t.test('after an exception in a worker, the other threads finish their requests, and the exit code is 1', { skip }, async t => {
  for (const [how, statement] of [
    ['thrown', `throw new Error('a simulated bug')`],
    ['a promise', `Promise.reject(new Error('a simulated bug'))`],
  ]) {
    const inWorkers = fault(t, `if (!isMainThread) ${statement}`)
    const env = { ...(await prepared(t)), ...inWorkers.env, HSAPI_WORKERS: '3' }
    const served = await startServe(t, env)
    t.equal((await ask(served.url, '/api/v1/health')).status, 200)
    inWorkers.happen()
    t.equal(await served.ended, 1, `${how}: the exit code is 1, without a signal`)
    t.match(served.output(), /stopping: a worker thread failed: Error: a simulated bug/)
    t.notMatch(served.output(), /FATAL|Assertion|core dumped/)
    // the port is free again
    const again = await startServe(t, { ...env, NODE_OPTIONS: '', HSAPI_PORT: new URL(served.url).port })
    t.equal(await again.end('SIGTERM'), 0)
  }
})

t.test('if a worker cannot start, the server exits with code 1 and the reason', { skip }, async t => {
  const file = join(temporaryDirectory(t), 'preload.mjs')
  writeFileSync(file, "import { isMainThread } from 'node:worker_threads'\nif (!isMainThread) throw new Error('no start')")
  const { code, stdout, stderr } = await run(['serve'], {
    ...(await prepared(t)),
    NODE_OPTIONS: `--import ${file}`,
    HSAPI_WORKERS: '2',
    HSAPI_PORT: '0',
  })
  t.equal(code, 1)
  t.match(stderr, /a worker failed: .*no start/s)
  t.notMatch(stdout, /ready on/)
})

t.test('after an exception in the first thread, requests are finished and counts saved, and the exit code is 1', async t => {
  const inFirst = fault(t, `if (isMainThread) throw new Error('a simulated bug')`)
  const env = await prepared(t)
  const made = JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout)
  const served = await startServe(t, { ...env, ...inFirst.env })
  await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': made.key })
  inFirst.happen()
  t.equal(await served.ended, 1)
  t.match(served.output(), /stopping: Error: a simulated bug/)
  const again = await startServe(t, env)
  const { headers } = await ask(again.url, '/api/v1/health', { 'x-api-key': made.key })
  t.equal(headers.get('x-ratelimit-remaining-day'), '999')
})
