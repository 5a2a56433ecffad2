/**
 * npm run bench:explorer: the time from a keystroke to the explorer's results, in Chromium, against a server that the benchmark
 * starts. Needs Debian's chromium-headless-shell, or another Chromium named by CHROMIUM. Prints the median, the 90th percentile
 * and the slowest time; there is no limit to meet.
 *
 * With `-- --render [CHECKOUT]` it measures the server's CPU for rendered records instead, without a browser. If CHECKOUT names
 * another compiled checkout, the two are measured alternately.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMs, median, startServer } from './process.mjs'

const MAIN = new URL('../dist/src/main.js', import.meta.url).pathname
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
const PHRASES = ['stainless steel cutlery', 'green tea in bags', 'قهوة عربية محمصة', 'electric motors']
const KEY_DELAY_MS = 120

/** Runs in the page: notes the time from each input to the change of the results. */
const WATCH = `(() => {
  window.took = []
  let at = 0
  document.getElementById('q').addEventListener('input', () => { at = performance.now() }, true)
  new MutationObserver(() => { if (at) { window.took.push(performance.now() - at); at = 0 } })
    .observe(document.querySelector('.summary'), { childList: true, characterData: true, subtree: true })
})()`

async function measureKeystrokes() {
  const folder = await mkdtemp(join(tmpdir(), 'hsapi-explorer-'))
  const server = await startServer([MAIN, 'serve'], {
    HSAPI_DATA_DIR: folder,
    HSAPI_PORT: '0',
    HSAPI_EXPLORER: 'open',
  })
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const took = []
    for (const phrase of PHRASES) {
      await page.goto(`http://127.0.0.1:${server.port}/?q=${encodeURIComponent(phrase.slice(0, 2))}`)
      await page.locator('.results li').first().waitFor()
      await page.evaluate(WATCH)
      await page.locator('#q').focus()
      await page.keyboard.press('End')
      await page.keyboard.type(phrase.slice(2), { delay: KEY_DELAY_MS })
      await page.waitForTimeout(300)
      took.push(...(await page.evaluate('window.took')))
    }
    took.sort((a, b) => a - b)
    const at = share => `${took[Math.min(took.length - 1, Math.floor(share * took.length))].toFixed(0)} ms`
    console.log(`${took.length} keystrokes answered: median ${at(0.5)}, 90 % within ${at(0.9)}, slowest ${at(1)}`)
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const ROUNDS = 5
const RECORDS = 300
const CHOICES = ['lang=en', 'lang=ar', 'country=SA&lang=en', 'country=AE&lang=ar']

/** Each page is requested from its own address, because the limits are per address. The pages exceed the server's cache, so it renders each of them. */
async function renderAll(port, codes, round) {
  let bytes = 0
  for (const [i, choice] of CHOICES.entries()) {
    for (const [j, code] of codes.entries()) {
      const page = i * codes.length + j
      const headers = { 'X-Forwarded-For': `10.${round}.${page >> 8}.${page & 255}`, 'Accept-Encoding': 'gzip' }
      const response = await fetch(`http://127.0.0.1:${port}/code/${code}?${choice}`, { headers })
      if (!response.ok) throw new Error(`/code/${code}?${choice} answered ${response.status}`)
      // fetch has decompressed the body
      bytes += (await response.arrayBuffer()).byteLength
    }
  }
  return bytes
}

async function measureRendering(other) {
  const { Catalog } = await import('../dist/src/catalog/catalog.js')
  const { loadSnapshot } = await import('../dist/src/snapshot/load.js')
  const { records, meta } = new Catalog(await loadSnapshot(new URL('../dist/hs.snapshot', import.meta.url).pathname))
  const step = Math.floor(meta.records / RECORDS)
  const codes = Array.from({ length: RECORDS }, (_, i) => records.code(i * step))
  const mains = [MAIN, ...(other === undefined ? [] : [join(other, 'dist/src/main.js')])]
  const folder = await mkdtemp(join(tmpdir(), 'hsapi-explorer-'))
  const servers = []
  try {
    for (const [i, main] of mains.entries()) {
      const own = { HSAPI_DATA_DIR: join(folder, String(i)), HSAPI_PORT: '0', HSAPI_WORKERS: '1' }
      servers.push(await startServer([main, 'serve'], { ...own, HSAPI_EXPLORER: 'public', HSAPI_TRUST_PROXY: 'loopback' }))
    }
    const results = servers.map(() => ({ ms: [], kb: 0 }))
    // round 0 warms the servers up
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, { pid, port }] of servers.entries()) {
        const before = cpuMs(pid)
        const bytes = await renderAll(port, codes, round)
        const pages = codes.length * CHOICES.length
        results[i].kb = bytes / pages / 1024
        if (round > 0) results[i].ms.push((cpuMs(pid) - before) / pages)
      }
    }
    for (const [i, { ms, kb }] of results.entries()) {
      const each = median(ms)
      console.log(
        `${mains[i]}: ${each.toFixed(2)} ms of CPU for a record, ${kb.toFixed(1)} KB of HTML, ${((each / kb) * 1000).toFixed(0)} µs for a KB`,
      )
    }
  } finally {
    for (const server of servers) await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const [option, other] = process.argv.slice(2)
await (option === '--render' ? measureRendering(other) : measureKeystrokes())
