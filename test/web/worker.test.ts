/** The service worker, tested without a browser: which files it stores, which requests it answers, and how it works offline. */
import t, { type Test } from 'tap'

const ORIGIN = 'http://pages.test'
const SHELL = { version: 'now', files: ['/assets/main-1.js'] }
const OWN = 'hsapi-shell-now'

interface Asked {
  path: string
  method?: string
  mode?: string
  preload?: Response
}

/** The worker is loaded once, so its scope is the same in all tests. */
const listeners = new Map<string, (event: object) => void>()
const done: string[] = []
const registration: { navigationPreload?: { enable: () => Promise<void> }; unregister: () => Promise<void> } = {
  unregister: async () => void done.push('unregister'),
}
const scope = {
  registration,
  clients: { claim: async () => void done.push('claim') },
  skipWaiting: async () => void done.push('skipWaiting'),
  addEventListener: (type: string, listen: (event: object) => void) => listeners.set(type, listen),
}

/** Unlike in a browser, Node's own requests need an absolute address. */
class PageRequest extends Request {
  constructor(path: string, init?: RequestInit) {
    super(new URL(path, ORIGIN), init)
  }
}

const pathOf = (asked: { url: string } | string) => {
  const { pathname, search } = new URL(typeof asked === 'string' ? asked : asked.url, ORIGIN)
  return pathname + search
}

async function openWorker(t: Test, languages: readonly string[] = ['en-GB']) {
  const all = new Map<string, Map<string, string>>()
  const added: { path: string; isFresh: boolean }[] = []
  const matchIn = (names: readonly string[], asked: { url: string } | string) => {
    const texts = names.map(name => all.get(name)?.get(pathOf(asked)))
    const text = texts.find(one => one !== undefined)
    return text === undefined ? undefined : new Response(text)
  }
  const caches = {
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
    match: async (asked: { url: string }) => matchIn([...all.keys()], asked),
    open: async (name: string) => ({
      match: async (asked: string) => matchIn([name], asked),
      addAll: async (list: readonly (string | Request)[]) => {
        const cache = all.get(name) ?? new Map<string, string>()
        all.set(name, cache)
        for (const one of list) {
          added.push({ path: pathOf(one), isFresh: typeof one !== 'string' && one.cache === 'reload' })
          cache.set(pathOf(one), `stored ${pathOf(one)}`)
        }
      },
    }),
  }
  const fetched: string[] = []
  let answer: (() => Response) | null = () => new Response('from the server')
  const fetch = async (asked: { url: string }) => {
    fetched.push(pathOf(asked))
    if (answer === null) throw new TypeError('Failed to fetch')
    return answer()
  }
  const globals = {
    self: scope,
    SHELL,
    caches,
    fetch,
    Request: PageRequest,
    navigator: { languages },
    location: { origin: ORIGIN },
  }
  const before = Object.keys(globals).map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  t.teardown(() => {
    for (const [name, descriptor] of before)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })
  await import('../../src/web/app/shell/worker.js')
  done.length = 0

  /** Dispatches an event; resolves when everything that the worker waits for has ended. */
  const dispatch = async (type: string, parts: object = {}) => {
    const works: Promise<unknown>[] = []
    let response: Promise<Response> | undefined
    const respondWith = (by: Promise<Response>) => {
      response = by
    }
    listeners.get(type)?.({ ...parts, waitUntil: (work: Promise<unknown>) => works.push(work), respondWith })
    const answered = await response
    await Promise.all(works)
    return answered
  }
  const ask = ({ path, method = 'GET', mode = 'navigate', preload }: Asked) => {
    const request = { url: new URL(path, ORIGIN).href, method, mode }
    return dispatch('fetch', { request, preloadResponse: Promise.resolve(preload) })
  }
  const textOf = async (path: string) => (await ask({ path }))?.text()
  const answers = (by: (() => Response) | null) => {
    answer = by
  }
  const install = () => dispatch('install')
  return { all, added, fetched, dispatch, ask, textOf, answers, install }
}

t.test('a release stores its files, and documents in both languages, which it requests without the HTTP cache', async t => {
  const { added, dispatch } = await openWorker(t)
  const routes: unknown[] = []
  const addRoutes = async (list: unknown) => {
    routes.push(list)
    throw new TypeError('not supported')
  }
  await dispatch('install', { addRoutes })
  t.strictSame(added, [
    { path: '/assets/main-1.js', isFresh: false },
    { path: '/?lang=en', isFresh: true },
    { path: '/?lang=ar', isFresh: true },
  ])
  t.strictSame(done, ['skipWaiting'], 'the release does not wait until all tabs are closed')
  t.strictSame(routes, [[{ condition: { urlPattern: '/api/*' }, source: 'network' }]])
})

t.test('a new release keeps the release before it and removes older ones, but no stored answers', async t => {
  const { all, dispatch } = await openWorker(t)
  for (const name of ['hsapi-shell-1', 'hsapi-answers-open', 'hsapi-shell-2', OWN, 'of-another']) all.set(name, new Map())
  registration.navigationPreload = { enable: async () => void done.push('preload') }
  await dispatch('activate')
  delete registration.navigationPreload
  t.strictSame([...all.keys()], ['hsapi-answers-open', 'hsapi-shell-2', OWN, 'of-another'])
  t.strictSame(done, ['preload', 'claim'])
  await dispatch('activate')
  t.ok(all.has('hsapi-shell-2'), 'the release before this one stays')
  t.strictSame(done.slice(2), ['claim'], 'a browser may lack navigation preload')
})

t.test('documents come from the server; while it cannot be reached, the stored one is shown', async t => {
  const { textOf, ask, answers, install, fetched } = await openWorker(t)
  await t.rejects(async () => {
    answers(null)
    await ask({ path: '/code/01' })
  }, TypeError)
  await install()
  answers(() => new Response('from the server'))
  for (const path of ['/', '/code/01', '/browse/85', '/shipment', '/documents', '/no/such'])
    t.equal(await textOf(path), 'from the server', path)
  fetched.length = 0
  t.equal(await (await ask({ path: '/', preload: new Response('preloaded') }))?.text(), 'preloaded')
  t.strictSame(fetched, [], 'a preloaded response is not requested again')
  answers(null)
  t.equal(await textOf('/code/01?q=1'), 'stored /?lang=en')
})

t.test('a proxy that cannot reach the server counts as unreachable; other errors are shown', async t => {
  const { ask, textOf, answers, install, all } = await openWorker(t)
  const unreachable = [502, 504]
  for (const status of unreachable) {
    answers(() => new Response('', { status }))
    t.equal((await ask({ path: '/' }))?.status, status, 'no document is stored yet')
  }
  await install()
  for (const status of unreachable) {
    answers(() => new Response('', { status }))
    t.equal(await textOf('/'), 'stored /?lang=en', String(status))
  }
  for (const status of [404, 429, 500, 503]) {
    answers(() => new Response('', { status }))
    t.equal((await ask({ path: '/' }))?.status, status)
  }
  t.ok(all.has(OWN))
})

t.test('the stored document is in the language of the address, else in the one that the browser prefers', async t => {
  for (const [languages, path, lang] of [
    [['en'], '/?lang=ar', 'ar'],
    [['ar-SA'], '/?lang=en', 'en'],
    [['fr', 'AR-sa', 'en'], '/', 'ar'],
    [['fr', 'en-GB', 'ar'], '/?lang=fr', 'en'],
    [['fr'], '/', 'en'],
  ] as const)
    await t.test(`${languages} ${path}`, async t => {
      const { textOf, answers, install } = await openWorker(t, languages)
      await install()
      answers(null)
      t.equal(await textOf(path), `stored /?lang=${lang}`)
    })
})

t.test('requests of other pages, of scripts and for data are left to the browser', async t => {
  const { ask, install } = await openWorker(t)
  await install()
  for (const asked of [
    ...['/docs', '/docs/api', '/embed', '/embed/hsapi-search.js', '/api/v1/health', '/sitemap/1.xml'].map(path => ({ path })),
    ...['/openapi.json', '/robots.txt', '/worker.js'].map(path => ({ path })),
    { path: '/', mode: 'cors' },
    { path: '/', method: 'POST' },
    { path: '/assets/main-1.js', method: 'HEAD', mode: 'no-cors' },
    { path: 'http://other.test/' },
    { path: 'http://other.test/assets/main-1.js', mode: 'no-cors' },
  ])
    t.equal(await ask(asked), undefined, JSON.stringify(asked))
})

t.test('files with a hash in their names come from any stored release, else from the server', async t => {
  const { ask, install, all, fetched } = await openWorker(t)
  await install()
  all.set('hsapi-shell-before', new Map([['/assets/main-0.js', 'earlier']]))
  const textOf = async (path: string) => (await ask({ path, mode: 'no-cors' }))?.text()
  t.equal(await textOf('/assets/main-1.js'), 'stored /assets/main-1.js')
  t.equal(await textOf('/assets/main-0.js'), 'earlier')
  t.strictSame(fetched, [])
  t.equal(await textOf('/assets/main-2.js'), 'from the server')
})

t.test('when the explorer has been turned off, everything that it stored is removed', async t => {
  const { ask, answers, install, all } = await openWorker(t)
  await install()
  for (const name of ['hsapi-answers-open', 'of-another']) all.set(name, new Map())
  done.length = 0
  const json = { 'Content-Type': 'application/json' }
  answers(() => new Response('<html>', { status: 404, headers: { 'Content-Type': 'text/html' } }))
  t.equal((await ask({ path: '/nope' }))?.status, 404)
  answers(() => new Response('{}', { status: 503, headers: json }))
  t.equal((await ask({ path: '/' }))?.status, 503)
  t.strictSame(done, [], 'nothing is removed if a page does not exist or the server is starting')
  answers(() => new Response('{}', { status: 404, headers: json }))
  t.equal((await ask({ path: '/' }))?.status, 404)
  t.strictSame([...all.keys()], ['of-another'])
  t.strictSame(done, ['unregister'])
})
