import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { placeOf } from '../../src/commands/health.js'
import { makeCertificate, WITHOUT_OPENSSL } from '../support/certificate.js'
import { prepared, ROOT, run, startServe } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

/** Nothing listens on port 9. */
const UNUSED = { HSAPI_PORT: '9' }

/** Runs `hsapi health` as in the image: a shell script that sends the request itself if it can. */
function runShell(env: Record<string, string>): Promise<{ code: number; stdout: string }> {
  return new Promise(resolve => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env } }
    execFile('bash', [join(ROOT, 'deploy/hsapi.sh'), 'health'], options, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout }),
    )
  })
}

async function answering(t: Test, status: number, body: string, at?: string): Promise<Server> {
  const server = createServer((_req, res) => res.writeHead(status).end(body))
  await new Promise<void>(done => (at === undefined ? server.listen(0, '127.0.0.1', done) : server.listen(at, done)))
  t.teardown(() => server.close())
  return server
}

t.test(
  'health exits with 0 if the server is healthy and with 1 if none is running, in the program and in the script of the image',
  async t => {
    const served = await startServe(t, await prepared(t))
    const env = { HSAPI_PORT: new URL(served.url).port, HSAPI_HOST: '0.0.0.0', HSAPI_WORKERS: 'nonsense' }
    const line = `${served.url}: ok\n`
    t.match(await run(['health'], env), { code: 0, stdout: line })
    t.match(await run(['health', '--url', served.url], UNUSED), { code: 0, stdout: line })
    t.strictSame(await runShell(env), { code: 0, stdout: line })
    t.match(await run(['health'], UNUSED), {
      code: 1,
      stdout: /^http:\/\/127\.0\.0\.1:9: \S.*\n$/,
      stderr: '',
    })
    t.strictSame(await runShell(UNUSED), { code: 1, stdout: 'http://127.0.0.1:9: no connection\n' })
  },
)

t.test('health exits with 1 if the server is starting, is failing or is another program', async t => {
  for (const [status, body, reason] of [
    [200, '{"success":true,"data":{"status":"starting"}}', 'starting'],
    [503, '{"success":true,"data":{"status":"ok"}}', '503'],
    [200, 'Welcome!', '200'],
    [200, 'x'.repeat(100_000), 'the answer is too long'],
  ] as const) {
    const { port } = (await answering(t, status, body)).address() as AddressInfo
    const env = { HSAPI_PORT: String(port) }
    t.match(await run(['health'], env), { code: 1, stdout: `http://127.0.0.1:${port}: ${reason}\n` })
    t.strictSame(await runShell(env), { code: 1, stdout: `http://127.0.0.1:${port}: not ok\n` })
  }
})

t.test('if HSAPI_TLS_CERT is set, health connects over TLS and accepts a certificate for any name', async t => {
  const folder = temporaryDirectory(t)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', [...make, '-subj', '/CN=api.example.com', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_req, res) =>
    res.end('{"data":{"status":"ok"}}'),
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const env = { HSAPI_PORT: String(port), HSAPI_TLS_CERT: cert }
  t.match(await run(['health'], env), { code: 0, stdout: `https://127.0.0.1:${port}: ok\n` })
})

t.test("health --url https://… checks the certificate's name, chain and remaining days", { skip: WITHOUT_OPENSSL }, async t => {
  const listening = async (tls: ReturnType<typeof makeCertificate>) => {
    const [cert, key] = [readFileSync(tls.HSAPI_TLS_CERT), readFileSync(tls.HSAPI_TLS_KEY)]
    const server = createSecureServer({ key, cert }, (_req, res) => res.end('{"data":{"status":"ok"}}'))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    t.teardown(() => server.close())
    return (server.address() as AddressInfo).port
  }
  const tls = makeCertificate(t, 'api.example', 30)
  const port = await listening(tls)
  const health = (url: string, ...args: string[]) => run(['health', '--url', url, ...args], UNUSED)
  const url = `https://127.0.0.1:${port}`
  t.match(await health(url), {
    code: 1,
    stdout: /: certificate refused: it is self-signed; if it is your own, pass it with --ca/,
  })
  t.match(await health(url, '--insecure'), { code: 0, stdout: `${url}: ok\n` })
  const trusted = ['--ca', tls.HSAPI_TLS_CERT]
  t.match(await health(url, ...trusted), {
    code: 0,
    stdout: /: ok, certificate valid for 29 days, until \d{4}-\d\d-\d\d\n$/,
  })
  t.match(
    await health(url, ...trusted, '--days', '29'),
    { code: 0 },
    'only whole days count, and the certificate was made a moment ago',
  )
  t.match(await health(url, ...trusted, '--days', '30'), { code: 1, stdout: /: ok, certificate valid for 29 days/ })
  const named = await health(`https://localhost:${port}`, ...trusted)
  t.match(named, { code: 1, stdout: /certificate refused: it is for another name/ })
  t.match(await health(url, '--ca', '/nowhere'), { code: 2, stderr: /^hsapi: --ca: ENOENT/ })
  t.match(await health('http://127.0.0.1:9', '--insecure'), { code: 2, stderr: /--insecure needs --url with an https address/ })
  t.match(await run(['health', '--days', '3'], UNUSED), { code: 2, stderr: /--days needs --url/ })
})

t.test('health reaches a server on a Unix socket', async t => {
  const path = join(temporaryDirectory(t), 'socket')
  await answering(t, 200, '{"data":{"status":"ok"}}', path)
  t.match(await run(['health'], { HSAPI_SOCKET: path }), { code: 0, stdout: `${path}: ok\n` })
})

t.test('health uses the address in the environment', async t => {
  const addressOf = (env: Record<string, string>) => placeOf(env).url.href
  t.equal(addressOf({}), 'http://127.0.0.1:8080/api/v1/health')
  t.equal(addressOf({ HSAPI_HOST: '::' }), 'http://[::1]:8080/api/v1/health')
  t.equal(addressOf({ HSAPI_TLS_CERT: 'x', HSAPI_PORT: '1' }), 'https://127.0.0.1:1/api/v1/health')
  t.equal(placeOf({ HSAPI_SOCKET: '/s', HSAPI_PORT: '1' }).socketPath, undefined)
  for (const url of ['127.0.0.1:8080', 'http://', 'ftp://x'])
    t.match(await run(['health', '--url', url]), { code: 2, stderr: /^hsapi: --url is / })
  t.match(await run(['health'], { HSAPI_PORT: 'x' }), { code: 2, stderr: /HSAPI_HOST and HSAPI_PORT/ })
})
