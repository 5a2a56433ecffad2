/** A server uses a new certificate without a restart. */
import { copyFileSync, statSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import t from 'tap'
import { CertificateInUse } from '../../src/process/certificate.js'
import { makeCertificate, WITHOUT_OPENSSL, writeCertificate } from '../support/certificate.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ENGINES, temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const ADMIN = /admin port: (http:\S+)/

/** Sends a request. Returns the status, and the name in the certificate of the connection. */
function ask(place: { port: string } | { socketPath: string }, agent: Agent | false = false) {
  return new Promise<{ status: number; name: string }>((resolve, reject) => {
    get({ ...place, agent, path: '/api/v1/health', rejectUnauthorized: false }, res => {
      const { subject } = (res.socket as TLSSocket).getPeerCertificate()
      res.resume().on('end', () => resolve({ status: res.statusCode ?? 0, name: String(subject?.CN) }))
    }).on('error', reject)
  })
}

for (const engine of ENGINES)
  t.test(
    `after SIGHUP or a reload, every thread uses the new certificate for new connections (${engine})`,
    { skip: WITHOUT_OPENSSL },
    async t => {
      const tls = makeCertificate(t, 'one.example')
      const socketPath = join(temporaryDirectory(t), 'hsapi.sock')
      const HSAPI_WORKERS = engine === 'uws' ? '2' : '1'
      const more = {
        HSAPI_ENGINE: engine,
        HSAPI_WORKERS,
        HSAPI_ADMIN_PORT: '0',
        HSAPI_SOCKET: socketPath,
        HSAPI_SOCKET_MODE: '660',
      }
      const env = { ...(await prepared(t)), ...tls, ...more }
      // with all settings, the command itself would refuse a bad certificate
      const own = { HSAPI_DATA_DIR: env.HSAPI_DATA_DIR }
      const served = await startServe(t, env, /ready on (https:\S+?)(?: and unix:\S+)?\s/)
      await until('the admin port is named', () => ADMIN.test(served.output()))
      const [, admin] = ADMIN.exec(served.output()) ?? []
      const { port } = new URL(served.url)
      const mode = () => (statSync(socketPath).mode & 0o777).toString(8)
      const end = async () => {
        const text = await (await fetch(`${admin}/metrics`)).text()
        return Number(/^hsapi_certificate_end_timestamp_seconds (\S+)$/m.exec(text)?.[1])
      }
      const everywhere = async (name: string) => {
        for (let n = 0; n < 8; n++) t.strictSame(await ask({ port }), { status: 200, name })
        t.strictSame(await ask({ socketPath }), { status: 200, name })
        t.equal(mode(), '660')
      }
      const idle = new Agent({ keepAlive: true, maxSockets: 1 })
      t.teardown(() => idle.destroy())
      t.equal((await ask({ port }, idle)).name, 'one.example')
      await everywhere('one.example')
      const firstEnd = await end()
      t.ok(Math.abs(firstEnd * 1000 - Date.now() - 30 * 86_400_000) < 3_600_000)

      writeCertificate(tls.HSAPI_TLS_CERT, tls.HSAPI_TLS_KEY, 'two.example', 60)
      served.child.kill('SIGHUP')
      await until('the new certificate is used', () =>
        /cert\.pem is now used for new connections; it is valid until \d{4}-\d\d-\d\d\n/.test(served.output()),
      )
      t.match(served.output(), /hsapi: SIGHUP received: loading the snapshot and the certificate again/)
      await everywhere('two.example')
      t.strictSame(
        await ask({ port }, idle),
        { status: 200, name: 'one.example' },
        'an open connection keeps the old certificate',
      )
      t.ok((await end()) > firstEnd)

      const again = await run(['reload'], own)
      t.match(again.stdout, /was loaded: .* records\n$/, 'an unchanged certificate is not loaded again')
      writeFileSync(tls.HSAPI_TLS_CERT, 'nonsense')
      const refused = await run(['reload'], own)
      t.equal(refused.code, 2)
      t.match(refused.stdout, /cannot be used: .*; still using the previous certificate/)
      await everywhere('two.example')
      copyFileSync(makeCertificate(t, 'other.example').HSAPI_TLS_CERT, tls.HSAPI_TLS_CERT)
      t.match(
        (await run(['reload'], own)).stdout,
        /still using the previous certificate/,
        'a certificate that does not match its key is not loaded',
      )
      writeCertificate(tls.HSAPI_TLS_CERT, tls.HSAPI_TLS_KEY, 'three.example')
      t.equal((await run(['reload'], own)).code, 0)
      await everywhere('three.example')
      idle.destroy()
      t.equal(await served.end('SIGTERM'), 0)
      t.match(served.output(), /hsapi: SIGTERM received: stopping/)
    },
  )

for (const engine of ENGINES)
  t.test(`a server with a single thread uses a new certificate, too (${engine})`, { skip: WITHOUT_OPENSSL }, async t => {
    const tls = makeCertificate(t, 'one.example')
    const env = { ...(await prepared(t)), ...tls, HSAPI_ENGINE: engine, HSAPI_WORKERS: '1' }
    const served = await startServe(t, env, /ready on (https:\S+)/)
    const { port } = new URL(served.url)
    t.equal((await ask({ port })).name, 'one.example')
    writeCertificate(tls.HSAPI_TLS_CERT, tls.HSAPI_TLS_KEY, 'two.example')
    t.equal((await run(['reload'], { HSAPI_DATA_DIR: env.HSAPI_DATA_DIR })).code, 0)
    t.equal((await ask({ port })).name, 'two.example')
  })

t.test('with TLS, a port in use by another server is refused as well', { skip: WITHOUT_OPENSSL }, async t => {
  const env = { ...(await prepared(t)), ...makeCertificate(t) }
  const served = await startServe(t, env, /ready on (https:\S+)/)
  const HSAPI_DATA_DIR = join(temporaryDirectory(t), 'other')
  const { code, stderr } = await run(['serve'], { ...env, HSAPI_DATA_DIR, HSAPI_PORT: new URL(served.url).port })
  t.equal(code, 2)
  t.match(stderr, /HSAPI_PORT: cannot listen on .*: the port is in use/)
})

t.test(
  'if not every thread can use a new certificate, a warning says so, and the next reload tries again',
  { skip: WITHOUT_OPENSSL },
  async t => {
    const { HSAPI_TLS_CERT: cert, HSAPI_TLS_KEY: key } = makeCertificate(t, 'one.example')
    const levels: (string | undefined)[] = []
    let works = false
    const renew = async () => {
      if (!works) throw new Error('a thread is busy')
    }
    const inUse = new CertificateInUse({ cert, key }, renew, (_line, level) => levels.push(level))
    const { endsMs } = inUse
    writeCertificate(cert, key, 'two.example', 60)
    t.match(await inUse.reload(), { isLoaded: false, message: 'a thread is busy; still using the previous certificate' })
    t.equal(inUse.endsMs, endsMs)
    works = true
    t.match(await inUse.reload(), { isLoaded: true })
    t.ok(inUse.endsMs > endsMs)
    t.equal(await inUse.reload(), undefined, 'an unchanged certificate is not loaded again')
    t.strictSame(levels, ['warning', 'info'])
  },
)
