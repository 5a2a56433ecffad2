/**
 * npm run bench:quick — server CPU per request and body size for each endpoint, compared with a bare uWebSockets.js server that
 * sends the headers and body of a lookup. Each round measures every endpoint; the figures are medians of the rounds. Figures
 * are comparable only within a run.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasWrk, load } from './load.mjs'
import { cpuMs, median, startServer } from './process.mjs'
import { startBareLike } from './servers/all.mjs'

const ROUNDS = 5
const SECONDS = 1

const folder = mkdtempSync(join(tmpdir(), 'hsapi-bench-'))
const env = {
  HSAPI_DATA_DIR: folder,
  HSAPI_PORT: '0',
  HSAPI_SNAPSHOT: join(folder, 'hs.snapshot'),
}
const run = (...args) =>
  execFileSync(process.execPath, ['dist/src/main.js', ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
run('build')
const key = args => JSON.parse(run('keys', 'create', '--tier', 'pro', '--json', ...args)).key
const keyHeaders = { 'X-Api-Key': key(['--per-minute', '900000000', '--per-day', '900000000']) }
const spent = { 'X-Api-Key': key(['--per-minute', '0']) }

const GZIP = { 'Accept-Encoding': 'gzip' }

const LOOKUP = { path: '/api/v1/hs-codes/852321000000', headers: keyHeaders }

const CASES = [
  { name: 'bare lookup', bare: true, path: '/', headers: {}, status: 200 },
  { name: 'health', path: '/api/v1/health', headers: {}, status: 200 },
  { name: 'lookup', ...LOOKUP, status: 200 },
  { name: 'children, 50 records', path: '/api/v1/hs-codes/84/children', headers: keyHeaders, status: 200 },
  { name: 'the same, gzip', path: '/api/v1/hs-codes/84/children', headers: { ...keyHeaders, ...GZIP }, status: 200 },
  { name: 'search, 20 results', path: '/api/v1/search?q=electric+motors', headers: keyHeaders, status: 200 },
  { name: 'the same search, gzip', path: '/api/v1/search?q=electric+motors', headers: { ...keyHeaders, ...GZIP }, status: 200 },
  {
    name: 'tariff with VAT',
    path: '/api/v1/tariff/calculate?hs_code=852321&value=1234.56&include_vat=1',
    headers: keyHeaders,
    status: 200,
  },
  { name: '401 invalid key', path: '/api/v1/hs-codes/85', headers: { 'X-Api-Key': 'no' }, status: 401 },
  { name: '404 not found', path: '/api/v1/hs-codes/852399', headers: keyHeaders, status: 404 },
  { name: '429 over limit', path: '/api/v1/hs-codes/85', headers: spent, status: 429 },
]

const bytes = new Map()

/** The body as sent: fetch would decompress it. */
function bodyOf(options) {
  return new Promise((resolve, reject) => {
    get({ ...options, agent: false }, response => {
      let bytes = 0
      response.on('data', piece => {
        bytes += piece.length
      })
      response.on('end', () => resolve({ status: response.statusCode, bytes }))
    }).on('error', reject)
  })
}

const hsapi = await startServer(['dist/src/main.js', 'serve'], env)
const bare = await startBareLike(hsapi, LOOKUP)
try {
  for (const { name, bare: isBare, path, headers, status } of CASES) {
    const one = { host: '127.0.0.1', port: (isBare ? bare : hsapi).port, path, headers }
    // the server compresses a body in the background when it is requested a second time
    for (let i = 0; i < 3; i++) {
      const answer = await bodyOf(one)
      if (answer.status !== status) throw new Error(`${name} answered ${answer.status}, not ${status}`)
      bytes.set(name, answer.bytes)
      await new Promise(done => setTimeout(done, 50))
    }
  }
  const cost = new Map(CASES.map(({ name }) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, bare: isBare, path, headers } of CASES) {
      const { pid, port } = isBare ? bare : hsapi
      process.stderr.write(`\rround ${round} of ${ROUNDS}: ${name.padEnd(24)}`)
      const before = cpuMs(pid)
      const answered = await load({ port, path, headers, seconds: SECONDS })
      // round 0 warms both servers up
      if (round > 0) cost.get(name).push(((cpuMs(pid) - before) * 1000) / answered)
    }
  }
  process.stderr.write(`\r${' '.repeat(50)}\r`)
  const base = median(cost.get('bare lookup'))
  console.log(
    `Server CPU per request, median of ${ROUNDS} (load: ${hasWrk() ? 'wrk' : 'built in; apt-get install wrk for a stronger one'})`,
  )
  for (const [name, values] of cost) {
    const microseconds = median(values)
    console.log(
      `${name.padEnd(22)} ${microseconds.toFixed(1).padStart(7)} µs ${(microseconds / base).toFixed(2).padStart(6)} × bare ${String(bytes.get(name)).padStart(7)} bytes`,
    )
  }
} finally {
  bare.stop()
  hsapi.stop()
  rmSync(folder, { recursive: true, force: true })
}
