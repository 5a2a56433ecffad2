/**
 * npm run bench:explorer: the time from a keystroke to the explorer's results, in Chromium with its own server. Needs Debian's
 * chromium-headless-shell, or another Chromium named by CHROMIUM. Prints the median and the slower times; there is no limit to
 * keep.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { startServer } from './process.mjs'

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

const folder = await mkdtemp(join(tmpdir(), 'hsapi-explorer-'))
const server = await startServer([MAIN, 'serve'], {
  HSAPI_DATA_DIR: folder,
  HSAPI_PORT: '0',
  HSAPI_EXPLORER: 'open',
})
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
