/** Opens pages of a real server in a real browser. Without Chromium, browser tests are skipped. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import root, { type Test } from 'tap'
import { prepared, type Served, startServe } from './cli.js'

/** The paths on Debian. The headless shell comes first, because pages take twice as long in the full browser. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const EXECUTABLE = BROWSERS.find(path => existsSync(path))
/** The reason to skip browser tests, or false. */
export const WITHOUT_BROWSER = EXECUTABLE === undefined && `no browser is installed at ${BROWSERS.join(' or ')}`

/** Limit for every wait in a page. It is long, because machines that run tests are busy. */
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
  /** Whether `page.clock` controls the time. */
  clock?: boolean
  /** Whether the browser runs scripts. */
  script?: boolean
  /** Whether the service worker of the pages runs. It must not run if a test answers requests in place of the server. */
  worker?: boolean
}

export interface Opened {
  page: Page
  context: BrowserContext
  /** Errors that the browser reported: exceptions of scripts, violations of the content policy and others. */
  browserErrors: string[]
  /** The addresses of all requests. */
  asked: string[]
}

export class Visits {
  readonly url: string
  readonly browser: Browser

  constructor(browser: Browser, url: string) {
    this.browser = browser
    this.url = url
  }

  /** Opens a path as a new visitor, without data that other tests have stored. */
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
    const browserErrors: string[] = []
    const asked: string[] = []
    page.on('pageerror', error => browserErrors.push(error.message))
    page.on('console', message => {
      // the browser also logs responses with an error status, which some tests provoke
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) browserErrors.push(message.text())
    })
    page.on('request', request => asked.push(request.url()))
    if (look.clock) await page.clock.install()
    await page.goto(this.url + path)
    if (script) await page.evaluate(SCRIPTS_RAN)
    return { page, context, browserErrors, asked }
  }
}

/**
 * Waits until all modules have run: the load event does not wait for a module that awaits another. A test may block a script.
 */
const SCRIPTS_RAN = `Promise.allSettled([...document.querySelectorAll('script[type=module]')].map(one => import(one.src))).then(() => 0)`

export class Pages extends Visits {
  constructor(
    browser: Browser,
    readonly served: Served,
  ) {
    super(browser, served.url)
  }
}

let launched: Promise<Browser> | undefined

/** Returns the browser that all test files of a process share, because starting one takes seconds. */
export function sharedBrowser(): Promise<Browser> {
  if (launched === undefined) {
    launched = chromium.launch({ executablePath: EXECUTABLE as string, args: ['--no-sandbox'] })
    root.teardown(async () => (await launched)?.close())
  }
  return launched
}

/** Starts a server for one test file. */
export async function openPages(t: Test, env: Record<string, string> = {}): Promise<Pages> {
  const served = await startServe(t, { ...(await prepared(t)), ...env })
  return new Pages(await sharedBrowser(), served)
}

/** Opens pages of a server that the test has started itself. */
export const visitsOf = async (url: string) => new Visits(await sharedBrowser(), url)

/** Answers an API request with an error, in place of the server. */
export function refuse(route: Route, status: number, code: string, headers: Record<string, string> = {}) {
  return route.fulfill({
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ success: false, error: { code, message: 'A sentence.' } }),
  })
}

/** Evaluates an expression in the page. It is text, because tests are compiled without browser types. */
export const inPage = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>

/** Goes to another view of the open page without loading a new document, so that the page fetches the data. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await inPage(page, `void (history.pushState({}, '', ${JSON.stringify(address)}), dispatchEvent(new PopStateEvent('popstate')))`)
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the accessibility violations that axe finds in the page. */
export async function accessibilityFaults(page: Page, options = `{ resultTypes: ['violations'] }`): Promise<string[]> {
  await page.evaluate(AXE)
  return inPage(
    page,
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(node => id + ' ' + node.target + ' ' + node.failureSummary)))`,
  )
}

/**
 * Waits until the expression is true; it may throw at first. It is evaluated repeatedly from outside, because waiting in the
 * page needs `eval`, which the content policy forbids.
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
    if (Date.now() > end) throw new Error(`timed out waiting until ${expression}`, { cause: fault })
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Lists the elements that extend beyond the window, except text cut off by an ellipsis and areas that scroll. */
export const BEYOND = `[...document.querySelectorAll('body *')].filter(one => {
  const { left, right, width } = one.getBoundingClientRect()
  if (width === 0 || one.closest('.unseen, .skip')) return false
  for (let up = one.parentElement; up; up = up.parentElement)
    if (['hidden', 'auto'].includes(getComputedStyle(up).overflowX)) return false
  return left < -1 || right > document.documentElement.clientWidth + 1
}).map(one => one.tagName + '.' + one.className)`
