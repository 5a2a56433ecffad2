/** A real browser on a real server. Where no Chromium is installed its tests are skipped, and say so. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import root, { type Test } from 'tap'
import { prepared, type Served, startServe } from './cli.js'

export const CHROMIUM = '/usr/bin/chromium'
/** What a test is skipped for, or false. */
export const WITHOUT_BROWSER = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`

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
}

export interface Opened {
  page: Page
  context: BrowserContext
  /** What scripts and the browser complained of: errors, refused by the policy, failed without being told so. */
  complaints: string[]
  /** Every address that was asked for. */
  asked: string[]
}

export class Pages {
  readonly url: string
  readonly served: Served
  readonly #browser: Browser

  constructor(browser: Browser, served: Served) {
    this.#browser = browser
    this.served = served
    this.url = served.url
  }

  /** A visitor of their own: nothing is kept from another. */
  async visit(t: Test, path: string, look: Look = {}): Promise<Opened> {
    const { lang = 'en', theme = 'light', size = DESKTOP, motion = 'reduce' } = look
    const context = await this.#browser.newContext({
      viewport: size,
      locale: lang,
      colorScheme: theme,
      reducedMotion: motion,
      permissions: ['clipboard-read', 'clipboard-write'],
      hasTouch: size.width < 600,
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

let launched: Promise<Browser> | undefined

/** One for all files of a process: starting it takes seconds. */
function sharedBrowser(): Promise<Browser> {
  if (launched === undefined) {
    launched = chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    root.teardown(async () => (await launched)?.close())
  }
  return launched
}

/** A server of its own for a file. */
export async function openPages(t: Test, env: Record<string, string> = {}): Promise<Pages> {
  const served = await startServe(t, { ...(await prepared(t)), ...env })
  return new Pages(await sharedBrowser(), served)
}

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

/** Waits until it holds. Asked from outside: the pages' policy lets no text become script, and waiting inside needs that. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + WAIT_MS
  while (!(await page.evaluate(expression))) {
    if (Date.now() > end) throw new Error(`it never came that ${expression}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
