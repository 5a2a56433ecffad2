/** A real browser on a real server. Where no Chromium is installed its tests are skipped, and say so. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import root, { type Test } from 'tap'
import { prepared, type Served, startServe } from './cli.js'

/** Debian's, the one without windows first: each page of the other one takes twice the time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const EXECUTABLE = BROWSERS.find(path => existsSync(path))
/** What a test is skipped for, or false. */
export const WITHOUT_BROWSER = EXECUTABLE === undefined && `none is installed: ${BROWSERS.join(', ')}`

/** For whatever a page is to show; machines that run tests are busy. */
const WAIT_MS = 30_000

export const PHONE = { width: 390, height: 844 }
export const NARROW = { width: 320, height: 640 }
export const DESKTOP = { width: 1280, height: 860 }

export type Language = 'en' | 'ar'

export interface Look {
  lang?: Language
  theme?: 'light' | 'dark'
  size?: { width: number; height: number }
  motion?: 'reduce' | 'no-preference'
  /** With a clock that `page.clock` moves on. */
  clock?: boolean
  /** false: the browser runs no script. */
  script?: boolean
  /** With the pages' service worker; tests that answer in place of the server need it away. */
  worker?: boolean
}

export interface Opened {
  page: Page
  context: BrowserContext
  /** What scripts and the browser complained of: errors, refused by the policy, failed without being told so. */
  complaints: string[]
  /** Every address that was asked for. */
  asked: string[]
}

export class Visits {
  readonly url: string
  readonly browser: Browser

  constructor(browser: Browser, url: string) {
    this.browser = browser
    this.url = url
  }

  /** A visitor of their own: nothing is kept from another. */
  async visit(t: Test, path: string, look: Look = {}): Promise<Opened> {
    const { lang = 'en', theme = 'light', size = DESKTOP, motion = 'reduce', script = true } = look
    const context = await this.browser.newContext({
      viewport: size,
      locale: lang,
      colorScheme: theme,
      reducedMotion: motion,
      javaScriptEnabled: script,
      permissions: ['clipboard-read', 'clipboard-write'],
      hasTouch: size.width < 600,
      serviceWorkers: look.worker ? 'allow' : 'block',
    })
    t.teardown(() => context.close())
    context.setDefaultTimeout(WAIT_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    const asked: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // an answer that is a refusal is told here as well: that is what some tests want
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
    })
    page.on('request', request => asked.push(request.url()))
    if (look.clock) await page.clock.install()
    await page.goto(this.url + path)
    return { page, context, complaints, asked }
  }
}

export class Pages extends Visits {
  constructor(
    browser: Browser,
    readonly served: Served,
  ) {
    super(browser, served.url)
  }
}

let launched: Promise<Browser> | undefined

/** One for all files of a process: starting it takes seconds. */
export function sharedBrowser(): Promise<Browser> {
  if (launched === undefined) {
    launched = chromium.launch({ executablePath: EXECUTABLE as string, args: ['--no-sandbox'] })
    root.teardown(async () => (await launched)?.close())
  }
  return launched
}

/** A server of its own for a file. */
export async function openPages(t: Test, env: Record<string, string> = {}): Promise<Pages> {
  const served = await startServe(t, { ...(await prepared(t)), ...env })
  return new Pages(await sharedBrowser(), served)
}

/** Visits of a server that a test started itself. */
export const visitsOf = async (url: string) => new Visits(await sharedBrowser(), url)

/** An answer of the API as a proxy, a limit or a fault would give it. */
export function refuse(route: Route, status: number, code: string, headers: Record<string, string> = {}) {
  return route.fulfill({
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ success: false, error: { code, message: 'A sentence.' } }),
  })
}

/** Reads a value in the page; written as text because tests have no types of a browser. */
export const look = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>

/** To another view of the page that is open: unlike a document, it has to ask for what it shows. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await look(page, `void (history.pushState({}, '', ${JSON.stringify(address)}), dispatchEvent(new PopStateEvent('popstate')))`)
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds in the page as it stands. */
export async function barriers(page: Page, options = `{ resultTypes: ['violations'] }`): Promise<string[]> {
  await page.evaluate(AXE)
  return look(
    page,
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(node => id + ' ' + node.target + ' ' + node.failureSummary)))`,
  )
}

/**
 * Waits until it holds; what it speaks of may not be there yet. Asked from outside: the pages' policy lets no text become script,
 * and waiting inside needs that.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + WAIT_MS
  let fault: unknown
  const holds = () =>
    page.evaluate(expression).catch(error => {
      fault = error
      return false
    })
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`it never came that ${expression}`, { cause: fault })
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Elements that reach beyond the window. What an ellipsis cuts off is cut off, and a row that scrolls by itself may be longer. */
export const BEYOND = `[...document.querySelectorAll('body *')].filter(one => {
  const { left, right, width } = one.getBoundingClientRect()
  if (width === 0 || one.closest('.unseen, .skip')) return false
  for (let up = one.parentElement; up; up = up.parentElement)
    if (['hidden', 'auto'].includes(getComputedStyle(up).overflowX)) return false
  return left < -1 || right > document.documentElement.clientWidth + 1
}).map(one => one.tagName + '.' + one.className)`
