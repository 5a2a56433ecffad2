/**
 * npm run bench:stalls: the longest turn of a server's event loop for each kind of costly request, and during a reload. Every
 * other client waits during a turn. Measured as CPU time inside the server, so that other load on the machine does not affect
 * it. Exits with 1 if a target is missed.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProcess } from './process.mjs'

const ROUNDS = 5
const TURN_MS_MAX = 20
const RELOAD_MS_MAX = 50
const RELOAD_WAIT_MS = 60_000
const READY = /ready on (http:\/\/127\.0\.0\.1:\d+)/

const root = fileURLToPath(new URL('..', import.meta.url))
const main = join(root, 'dist/src/main.js')
const folder = mkdtempSync(join(tmpdir(), 'hsapi-stalls-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const snapshot = join(folder, 'hs.snapshot')
copyFileSync(join(root, 'dist/hs.snapshot'), snapshot)
const env = { HSAPI_DATA_DIR: folder, HSAPI_PORT: '0', HSAPI_SNAPSHOT: snapshot, HSAPI_MCP: 'on' }
const create = ['keys', 'create', '--tier', 'pro', '--json', '--per-minute', '900000000', '--per-day', '900000000']
const { key } = JSON.parse(
  execFileSync(process.execPath, [main, ...create], { env: { ...process.env, ...env }, encoding: 'utf8' }),
)

const server = await startProcess({
  command: process.execPath,
  args: ['--import', new URL('turn-times.mjs', import.meta.url).href, main, 'serve'],
  env,
  isReady: output => READY.exec(output) && { url: READY.exec(output)[1] },
})
const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' }
/** The probe listens on the port after the server's. */
const turnsUrl = `http://127.0.0.1:${Number(new URL(server.url).port) + 1}/`

const takeMs = async () => Number(await (await fetch(turnsUrl)).text())

const list = (count, item) => Array.from({ length: count }, (_, n) => item(n))
const post = (path, body) =>
  fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) }).then(one => one.text())
const get = path => fetch(server.url + path, { headers }).then(one => one.text())
const text = (n, chars) => `${'cotton shirt with long sleeves and a collar '.repeat(12)}`.slice(0, chars) + n

const CASES = {
  'classify, one hostile title': n =>
    get(`/api/v1/classify?text=${encodeURIComponent(`${'⑴'.repeat(140)}${'😀'.repeat(350)}${n}`)}`),
  'classify, 100 titles': n => post('/api/v1/classify', { items: list(100, i => ({ text: text(i + n, 480) })) }),
  'search, 50 queries': n => post('/api/v1/search', { queries: list(50, i => ({ q: text(i + n, 190), limit: 5 })) }),
  'resolve, 1,000 codes': () => post('/api/v1/resolve', { codes: list(1_000, i => `8517${i}`), edition: '2017' }),
  'invoice, 100 items': () => post('/api/v1/tariff/calculate', { items: list(100, i => ({ hs_code: '851713', value: i + 1 })) }),
  'invoice, 100 items, Saudi Arabia': () =>
    post('/api/v1/tariff/calculate', { country: 'SA', items: list(100, i => ({ hs_code: '851713', value: i + 1 })) }),
  '256 KiB of distinct keys': n => post('/api/v1/classify', Object.fromEntries(list(15_000, i => [`k${n}x${i}`, 1]))),
}

async function reload() {
  const next = `${snapshot}.next`
  copyFileSync(snapshot, next)
  renameSync(next, snapshot)
  process.kill(server.pid, 'SIGHUP')
  // wait until the loading thread is done and the old dataset is freed
  for (const end = Date.now() + RELOAD_WAIT_MS; Date.now() < end; ) {
    await wait(500)
    if (await hasReloaded()) return wait(1_000)
  }
  throw new Error('the server did not reload')
}

let loaded = 0
async function hasReloaded() {
  const count = await (await fetch(turnsUrl, { method: 'POST' })).text()
  if (Number(count) === loaded) return false
  loaded = Number(count)
  return true
}

let isWell = true
async function measure(name, msMax, run) {
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    await takeMs()
    await run(round)
    times.push(await takeMs())
  }
  const most = Math.max(...times)
  if (most > msMax) isWell = false
  const shown = times.map(ms => ms.toFixed(1)).join('  ')
  console.log(`${name.padEnd(36)}${shown}   at most ${msMax}${most > msMax ? '  ABOVE' : ''}`)
}

console.log(`Longest turn of the event loop, in ms of processor time; ${ROUNDS} rounds, the first one cold`)
for (const [name, run] of Object.entries(CASES)) await measure(name, TURN_MS_MAX, run)
await measure('reload', RELOAD_MS_MAX, reload)
await server.stop()
process.exitCode = isWell ? 0 : 1
