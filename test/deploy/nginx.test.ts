import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { prepared, ROOT, run, startServe } from '../support/cli.js'
import { type LoadResult, load, moreAnswers } from '../support/load.js'
import { ENGINES, temporaryDirectory } from '../support/service.js'

const PATH = '/api/v1/hs-codes/85'
const HIGH_LIMITS = ['--per-minute', '2000000', '--per-day', '2000000']

/** Debian installs nginx in /usr/sbin, which is not in every user's PATH. */
const env = { PATH: `${process.env.PATH}:/usr/sbin` }
const skip = spawnSync('nginx', ['-v'], { env }).status === 0 ? false : 'nginx is not installed'

/**
 * Returns a free port below 32768. The kernel assigns higher ports to outgoing connections, which could take the port while its
 * server restarts.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer()
    const isFree = await new Promise(done => {
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true))
    })
    await new Promise(done => server.close(done))
    if (isFree) return port
  }
}

/** Starts nginx with deploy/nginx.conf on other ports, included in a main configuration as on Linux distributions. */
async function startNginx(t: Test, upstreams: readonly [number, number]): Promise<number> {
  const port = await freePort()
  const folder = temporaryDirectory(t)
  const shipped = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
  const site = shipped
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${upstreams[0]}`)
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${upstreams[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; worker_processes 2; pid ${folder}/pid; error_log stderr warn;
     events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
  )
  const args = ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
  const tested = spawnSync('nginx', [...args, '-t'], { env, encoding: 'utf8' })
  t.equal(tested.status, 0, tested.stderr)
  const child = spawn('nginx', args, { env, stdio: 'ignore' })
  const ended = new Promise(done => child.on('close', done))
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  for (let tries = 0; tries < 100; tries++) {
    if (
      await new Promise(done =>
        connect(port, '127.0.0.1')
          .on('connect', () => done(true))
          .on('error', () => done(false)),
      )
    )
      break
    await wait(20)
  }
  return port
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

function get(port: number, headers: Record<string, string>, localAddress = '127.0.0.1', path = PATH): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, localAddress, agent: false }, res => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', chunk => {
        text += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }))
    })
      .on('error', reject)
      .end()
  })
}

/** Sends a minimal HTTP/1.0 request, as old clients do. Returns the whole answer. */
function getHttp10(port: number, key: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${PATH} HTTP/1.0\r\nX-Api-Key: ${key}\r\n\r\n`))
    socket.on('data', data => {
      text += data
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

/** Starts a proxy that counts the connections it forwards. */
async function countingProxy(t: Test, to: number): Promise<{ port: number; connections(): number }> {
  let connections = 0
  const server = createServer(socket => {
    connections++
    const upstream = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  return { port: (server.address() as { port: number }).port, connections: () => connections }
}

t.test('two servers behind deploy/nginx.conf', { skip }, async t => {
  const first = {
    ...(await prepared(t)),
    HSAPI_TRUST_PROXY: '127.0.0.1',
    HSAPI_DRAIN_SECONDS: '1',
  }
  const created = await run(['keys', 'create', '--tier', 'pro', ...HIGH_LIMITS, '--json'], first)
  const { key } = JSON.parse(created.stdout)
  const second = { ...first, HSAPI_DATA_DIR: join(dirname(first.HSAPI_DATA_DIR), 'second') }
  mkdirSync(second.HSAPI_DATA_DIR)
  cpSync(join(first.HSAPI_DATA_DIR, 'keys.json'), join(second.HSAPI_DATA_DIR, 'keys.json'))
  const ports = [await freePort(), await freePort()] as const
  const startA = () => startServe(t, { ...first, HSAPI_PORT: String(ports[0]) })
  const startB = () => startServe(t, { ...second, HSAPI_PORT: String(ports[1]) })
  let [a, b] = [await startA(), await startB()]
  const auth = { 'x-api-key': key }

  await t.test('HTTP/1.0 clients get answers, although uWebSockets.js refuses HTTP/1.0', async t => {
    const port = await startNginx(t, ports)
    t.match(await getHttp10(port, key), /^HTTP\/1\.1 200 [\s\S]*"hs_code":"85"/)
    if (ENGINES.includes('uws')) t.match(await getHttp10(ports[0], key), /^HTTP\/1\.1 505 /)
    const { headers, text } = await get(port, { ...auth, 'accept-encoding': 'gzip' })
    t.match(headers.etag, /^W\//)
    t.ok(headers['x-ratelimit-remaining-day'])
    t.equal(JSON.parse(text).data.hs_code, '85', 'short responses are not compressed')
  })

  await t.test('connections to the servers are reused', async t => {
    const proxy = await countingProxy(t, ports[0])
    const port = await startNginx(t, [proxy.port, proxy.port])
    for (let i = 0; i < 40; i++) t.equal((await get(port, auth)).status, 200)
    // one for each pair of 2 workers and 2 upstreams; without keep-alive, there would be one for each request
    t.ok(proxy.connections() <= 4, `nginx opened ${proxy.connections()} connections`)
  })

  await t.test('no request is lost while one server after the other is restarted', async t => {
    const port = await startNginx(t, ports)
    let isOver = false
    t.teardown(() => {
      isOver = true
    })
    const results: LoadResult[] = []
    const loads = (['GET', 'POST'] as const).map((method, i) => {
      results[i] = { answered: 0, wrong: [] }
      return load(
        {
          port,
          paths: [method === 'GET' ? PATH : '/api/v1/resolve'],
          headers: auth,
          method,
          connections: 4,
          keepAlive: true,
          isOver: () => isOver,
          // POST sends no body, so a server refuses it with 415
          check: (_path, status) => (status === (method === 'GET' ? 200 : 415) ? undefined : String(status)),
        },
        results[i],
      )
    })
    await moreAnswers(100, ...results)
    t.equal(await a.end('SIGTERM'), 0)
    a = await startA()
    t.equal(await b.end('SIGTERM'), 0)
    b = await startB()
    await moreAnswers(100, ...results)
    isOver = true
    for (const { answered, wrong } of await Promise.all(loads)) {
      t.ok(answered > 100, `${answered} requests were answered`)
      t.strictSame(wrong, [])
    }
  })

  await t.test('while no server is available, the answer is a refusal in JSON with status 503', async t => {
    const port = await startNginx(t, ports)
    await Promise.all([a.end('SIGTERM'), b.end('SIGTERM')])
    const { status, headers, text } = await get(port, auth)
    t.equal(status, 503)
    t.equal(headers['retry-after'], '1')
    t.match(headers['content-type'], /^application\/json/)
    t.equal(JSON.parse(text).error.code, 'db_unavailable')
  })
})

t.test('a server that needs no key on localhost needs one behind nginx', { skip }, async t => {
  const { url } = await startServe(t, await prepared(t))
  const port = Number(new URL(url).port)
  const proxy = await startNginx(t, [port, port])
  const page = { 'sec-fetch-site': 'same-origin' }
  const mode = async (port: number, host: string) =>
    JSON.parse((await get(port, { host, ...page }, '127.0.0.1', '/explorer.json')).text)
  const { key } = await mode(port, 'localhost')
  t.match(key, /^hs_page_/)
  for (const host of ['hs.example.com', 'localhost', `127.0.0.1:${port}`]) {
    t.strictSame(await mode(proxy, host), { mode: 'key' }, `a key is needed for the host ${host}`)
    t.equal((await get(proxy, { host, ...page, 'x-api-key': key })).status, 401)
  }
  t.equal((await get(port, { ...page, 'x-api-key': key })).status, 200)
})
