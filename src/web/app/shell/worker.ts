/**
 * The service worker: opens the pages while the server cannot be reached. Documents are fetched from the network first, so that
 * a new release appears at once; files with a hash in their names come from the cache. It never handles API answers: see
 * kept-answers.ts.
 */

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}
interface InstallEvent extends WorkerEvent {
  /** Newer browsers only. */
  addRoutes?: (routes: readonly { condition: object; source: 'network' }[]) => Promise<void>
}
interface WorkerScope {
  registration: ServiceWorkerRegistration
  clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listen: (event: InstallEvent) => void): void
  addEventListener(type: 'activate', listen: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void
}

/** The build fills in the version and the files of this release. */
declare const SHELL: { version: string; files: readonly string[] }

const worker = self as unknown as WorkerScope
const OURS = 'hsapi-'
const SHELLS = 'hsapi-shell-'
/** A tab that was opened before this release may still load files of the earlier one. */
const RELEASES_MAX = 2
const documentIn = (lang: string) => `/?lang=${lang}`

/** Paths outside the explorer. All other paths open the explorer's document. */
const ELSEWHERE = /^\/(?:(?:docs|embed|api|assets|sitemap)(?:\/|$)|[^/]*\.)/

async function install(): Promise<void> {
  const cache = await caches.open(SHELLS + SHELL.version)
  const fresh = ['en', 'ar'].map(lang => new Request(documentIn(lang), { cache: 'reload' }))
  await cache.addAll([...SHELL.files, ...fresh])
  await worker.skipWaiting()
}

async function removeOldReleases(): Promise<void> {
  const shells = (await caches.keys()).filter(name => name.startsWith(SHELLS) && name !== SHELLS + SHELL.version)
  for (const name of shells.slice(0, Math.max(0, shells.length - (RELEASES_MAX - 1)))) await caches.delete(name)
}

async function activate(): Promise<void> {
  await removeOldReleases()
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

/** Removes everything from this browser when the explorer has been turned off. */
async function leave(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(OURS)) await caches.delete(name)
  await worker.registration.unregister()
}

/** The language in the address, else the one that the browser prefers, as on the server. */
function languageOf(url: URL): string {
  const named = url.searchParams.get('lang')
  if (named === 'en' || named === 'ar') return named
  const liked = navigator.languages.map(one => one.slice(0, 2).toLowerCase())
  return liked.find(one => one === 'en' || one === 'ar') ?? 'en'
}

async function stored(url: URL): Promise<Response | undefined> {
  const cache = await caches.open(SHELLS + SHELL.version)
  return cache.match(documentIn(languageOf(url)))
}

async function documentFor(event: FetchEvent, url: URL): Promise<Response> {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request))
    const isOff = response.status === 404 && response.headers.get('Content-Type') === 'application/json'
    if (isOff) event.waitUntil(leave())
    // the response of a proxy that cannot reach the server
    const isAway = response.status === 502 || response.status === 504
    return (isAway ? await stored(url) : undefined) ?? response
  } catch (error) {
    const kept = await stored(url)
    if (kept === undefined) throw error
    return kept
  }
}

worker.addEventListener('install', event => {
  event.waitUntil(install())
  // so that API requests need not wait for this worker to start
  event.addRoutes?.([{ condition: { urlPattern: '/api/*' }, source: 'network' }])?.catch(() => {})
})
worker.addEventListener('activate', event => event.waitUntil(activate()))
worker.addEventListener('fetch', event => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(caches.match(request).then(kept => kept ?? fetch(request)))
  else if (request.mode === 'navigate' && !ELSEWHERE.test(url.pathname)) event.respondWith(documentFor(event, url))
})

export {}
