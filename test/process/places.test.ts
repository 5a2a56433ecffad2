/** Where a server listens: HTTPS and Unix sockets. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request as plainRequest, type RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MAIN, prepared, run, startServe } from '../support/cli.js'
import { ENGINES, temporaryDirectory } from '../support/service.js'

const WITHOUT_OPENSSL = spawnSync('openssl', ['version']).error !== undefined && 'openssl is not installed'

function certificate(t: Test): { HSAPI_TLS_CERT: string; HSAPI_TLS_KEY: string } {
  const directory = temporaryDirectory(t)
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
  const made = spawnSync('openssl', [...args, '-keyout', key, '-out', cert])
  if (made.status !== 0) throw new Error(String(made.stderr))
  return { HSAPI_TLS_CERT: cert, HSAPI_TLS_KEY: key }
}

type Options = RequestOptions & { rejectUnauthorized?: boolean }

const ask = (send: typeof plainRequest, options: Options) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    send({ agent: false, path: '/api/v1/health', ...options }, res => {
      let text = ''
      res.on('data', piece => {
        text += piece
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end()
  })

for (const engine of ENGINES) {
  t.test(`every thread serves HTTPS (${engine})`, { skip: WITHOUT_OPENSSL }, async t => {
    const HSAPI_WORKERS = engine === 'uws' ? '2' : '1'
    const env = { ...(await prepared(t)), ...certificate(t), HSAPI_ENGINE: engine, HSAPI_WORKERS }
    const served = await startServe(t, env, /ready on (https:\S+)/)
    const { port } = new URL(served.url)
    for (let n = 0; n < 8; n++) {
      const { status, text } = await ask(tlsRequest, { port, rejectUnauthorized: false })
      t.equal(status, 200)
      t.match(text, /"status":"ok"/)
    }
    await t.rejects(ask(plainRequest, { port }), 'plain HTTP is refused')
    t.match(served.output(), /Try it: curl -H '\S+ \S+' https:/)
    t.equal(await served.end('SIGTERM'), 0)
  })

  t.test(`a server listens on a Unix socket instead of the port, or in addition to it (${engine})`, async t => {
    const socketPath = join(temporaryDirectory(t), 'hsapi.sock')
    const env = { ...(await prepared(t)), HSAPI_ENGINE: engine, HSAPI_SOCKET: socketPath, HSAPI_SOCKET_MODE: '0606' }
    const both = await startServe(t, env)
    t.match(both.output(), `and unix:${socketPath}`)
    t.equal(statSync(socketPath).mode & 0o777, 0o606)
    t.equal((await ask(plainRequest, { socketPath })).status, 200)
    t.equal((await ask(plainRequest, { port: new URL(both.url).port })).status, 200)
    const other = await run(['serve'], { ...env, HSAPI_DATA_DIR: join(socketPath, '..', 'other') })
    t.match(other.stderr, /HSAPI_SOCKET: another server listens on/)
    // after a kill, the socket file remains
    await both.end('SIGKILL')
    t.ok(existsSync(socketPath))
    const { HSAPI_DATA_DIR, HSAPI_SNAPSHOT } = env
    t.equal(await bare(t, { HSAPI_DATA_DIR, HSAPI_SNAPSHOT, HSAPI_ENGINE: engine, HSAPI_SOCKET: socketPath }), 200)
    t.notOk(existsSync(socketPath), 'the socket file is removed at the end')
  })
}

/** Starts a server without HSAPI_PORT, which `startServe` always sets. Returns the status of a request to its socket. */
async function bare(t: Test, env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [MAIN, 'serve'], { env: { PATH: process.env.PATH ?? '', ...env } })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  const ended = new Promise<void>(done => child.on('close', () => done()))
  await new Promise<void>(ready => {
    child.stdout.on('data', data => {
      output += data
      if (/ready on unix:/.test(output)) ready()
    })
    void ended.then(ready)
  })
  t.notMatch(output, /ready on http/)
  const { status } = await ask(plainRequest, { socketPath: env.HSAPI_SOCKET as string })
  child.kill('SIGTERM')
  await ended
  return status
}

t.test('addresses that cannot be used prevent the start, with a one-line error', async t => {
  const env = await prepared(t)
  const file = join(temporaryDirectory(t), 'plain')
  await writeFile(file, 'no certificate')
  for (const [more, message] of [
    [{ HSAPI_TLS_CERT: file }, /HSAPI_TLS_KEY is missing/],
    [{ HSAPI_TLS_KEY: file }, /HSAPI_TLS_CERT is missing/],
    [{ HSAPI_TLS_CERT: '/nowhere', HSAPI_TLS_KEY: file }, /HSAPI_TLS_CERT: ENOENT/],
    [{ HSAPI_TLS_CERT: file, HSAPI_TLS_KEY: file }, /HSAPI_TLS_CERT and HSAPI_TLS_KEY cannot be used/],
    [{ HSAPI_SOCKET: file }, /exists and is not a socket/],
    [{ HSAPI_SOCKET: '/nowhere/hsapi.sock' }, /HSAPI_SOCKET: cannot listen on/],
    [{ HSAPI_SOCKET_MODE: '999' }, /HSAPI_SOCKET_MODE is "999"; it must be three octal digits such as 660/],
    [
      { HSAPI_SEARCHES: 'on' },
      /HSAPI_SEARCHES is on, but its counts can only be read through the admin port: set HSAPI_ADMIN_PORT/,
    ],
    [{ HSAPI_SOCKET: 'x'.repeat(200) }, /HSAPI_SOCKET must be a path of 1 to 107 bytes/],
    [{ HSAPI_SOCKET: file, HSAPI_WORKERS: '2' }, /HSAPI_SOCKET is served by one thread/],
  ] as const) {
    const { code, stderr } = await run(['serve'], { ...env, ...more })
    t.equal(code, 2)
    t.match(stderr, message)
  }
})
