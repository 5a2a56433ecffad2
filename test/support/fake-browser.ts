/** Simulates the parts of a browser that the data layer of the pages uses, for tests without a browser. */
import type { Test } from 'tap'

export interface Sent {
  path: string
  key: string | null
  body: unknown
}

/** Turns of the event loop after which all pending promises of a test have settled. */
const SETTLED_TURNS = 20
const { crypto } = globalThis

type Answer = (sent: Sent) => Response | Promise<Response>

export interface FakeBrowser {
  /** All requests, oldest first. */
  sent: Sent[]
  /** Sets the function that answers requests. With null, every request fails as if the server were unreachable. */
  answer: (by: Answer | null) => void
  local: Map<string, string>
  session: Map<string, string>
  /** The caches by name; each has its responses by address. */
  caches: Map<string, Map<string, Response>>
  /** The stores by `database/store`; each has its values by id. */
  stores: Map<string, Map<string, unknown>>
  location: { pathname: string; search: string; hash: string; href: string }
  history: { state: unknown; replaceState: (state: unknown, title: string, address?: string) => void }
  window: EventTarget
  /** Moves the time forward and runs the timers that are due. */
  pass: (ms: number) => void
  /** Waits until all pending operations have completed. */
  settle: () => Promise<void>
}

const storage = (values: Map<string, string>) => ({
  getItem: (name: string) => values.get(name) ?? null,
  setItem: (name: string, text: string) => void values.set(name, String(text)),
  removeItem: (name: string) => void values.delete(name),
})

function cacheStorage(all: Map<string, Map<string, Response>>) {
  const open = async (name: string) => {
    const cache = all.get(name) ?? new Map<string, Response>()
    all.set(name, cache)
    return {
      delete: async (address: string) => cache.delete(address),
      put: async (address: string, response: Response) => void cache.set(address, response),
      keys: async () => [...cache.keys()],
    }
  }
  return {
    open,
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
    match: async (address: string, { cacheName }: { cacheName: string }) => all.get(cacheName)?.get(address)?.clone(),
  }
}

function database(stores: Map<string, Map<string, unknown>>) {
  const request = (result: unknown) => {
    const pending: { result: unknown; onsuccess?: () => void; onupgradeneeded?: () => void } = { result }
    queueMicrotask(() => {
      pending.onupgradeneeded?.()
      pending.onsuccess?.()
    })
    return pending
  }
  return {
    open: (name: string) => {
      const pathOf = (store: string) => `${name}/${store}`
      return request({
        createObjectStore: (store: string) => {
          if (!stores.has(pathOf(store))) stores.set(pathOf(store), new Map())
        },
        transaction: (store: string) => ({
          objectStore: () => {
            const values = stores.get(pathOf(store)) ?? new Map()
            return {
              transaction: { commit: () => {} },
              getAll: () => request([...values.values()].map(value => structuredClone(value))),
              put: (value: { id: string }) => request(values.set(value.id, structuredClone(value))),
              delete: (id: string) => request(values.delete(id)),
              clear: () => request(values.clear()),
            }
          },
        }),
      })
    },
  }
}

export function openFakeBrowser(t: Test): FakeBrowser {
  const sent: Sent[] = []
  const timers = new Map<number, { at: number; every: number | null; run: () => void }>()
  let nowMs = 0
  let lastTimer = 0
  let answer: Answer | null = null
  /** Digests in progress. Other threads compute them, so `settle` waits for them. */
  const digests = new Set<Promise<ArrayBuffer>>()
  const digest = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const pending = crypto.subtle.digest(name, bytes)
    digests.add(pending)
    return pending.finally(() => digests.delete(pending))
  }
  const start = (every: boolean) => (run: () => void, ms: number) => {
    timers.set(++lastTimer, { at: nowMs + ms, every: every ? ms : null, run })
    return lastTimer
  }
  const stop = (id: number) => void timers.delete(id)
  const window = Object.assign(new EventTarget(), { setTimeout: start(false), setInterval: start(true) })
  const browser: FakeBrowser = {
    sent,
    answer: by => {
      answer = by
    },
    local: new Map(),
    session: new Map(),
    caches: new Map(),
    stores: new Map(),
    location: { pathname: '/', search: '', hash: '', href: 'http://pages.test/' },
    history: {
      state: null,
      replaceState(state) {
        this.state = state
      },
    },
    window,
    pass: ms => {
      const end = nowMs + ms
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0]
        if (due === undefined) break
        const [id, timer] = due
        nowMs = timer.at
        if (timer.every === null) timers.delete(id)
        else timer.at += timer.every
        timer.run()
      }
      nowMs = end
    },
    settle: async () => {
      for (let turn = 0; turn < SETTLED_TURNS; turn++) {
        if (digests.size > 0) turn = 0
        await Promise.all(digests)
        await new Promise(done => setImmediate(done))
      }
    },
  }
  const fetch = async (path: string, { headers = {}, body, signal }: RequestInit = {}) => {
    const request = {
      path,
      key: (headers as Record<string, string>)['X-Api-Key'] ?? null,
      body: body && JSON.parse(String(body)),
    }
    sent.push(request)
    if (answer === null) throw new TypeError('Failed to fetch')
    const response = await answer(request)
    signal?.throwIfAborted()
    return response
  }
  const globals = {
    window,
    location: browser.location,
    history: browser.history,
    localStorage: storage(browser.local),
    sessionStorage: storage(browser.session),
    caches: cacheStorage(browser.caches),
    indexedDB: database(browser.stores),
    crypto: { getRandomValues: (numbers: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(numbers), subtle: { digest } },
    navigator: { serviceWorker: { register: async () => ({}) } },
    fetch,
    clearTimeout: (id: never) => (typeof id === 'number' ? stop(id) : clearTimeoutOfNode(id)),
    clearInterval: (id: never) => (typeof id === 'number' ? stop(id) : clearIntervalOfNode(id)),
  }
  const { clearTimeout: clearTimeoutOfNode, clearInterval: clearIntervalOfNode } = globalThis
  const before = Object.keys(globals).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  t.teardown(() => {
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })
  return browser
}

/** Returns a successful response of the API. */
export const answered = (data: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ data, meta: { total: 1, count: 1 } }), { headers })

export const refused = (status: number, code: string, details: object = {}, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ error: { code, message: code, details } }), { status, headers })
