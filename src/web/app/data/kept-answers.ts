/**
 * The last answers, in the browser's cache storage: one cache per key, without the key itself. The pages show them only while
 * the server cannot be reached, with a note of their date.
 */
import type { Facets } from '../../../answers/shapes.js'
import { type Answer, forgetAnswers, keptSince, type Meta, ONLINE_AGAIN } from './answer.js'
import { ANSWERS, isStoredKey, keptKey } from './key.js'

const ANSWERS_MAX = 200
/** Pause before answers are stored, so that a search typed letter by letter is stored once. */
const QUIET_MS = 1000
const AGAIN_MS = 5000

/** A digest identifies the key without revealing it. */
async function cacheName(key: string | null): Promise<string> {
  if (key === null) return `${ANSWERS}open`
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)))
  return ANSWERS + [...digest.slice(0, 12)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

const addressOf = (path: string) => `/api/v1/${path}`

interface Waiting {
  text: string
  key: string | null
  at: Date
}
const waiting = new Map<string, Waiting>()
let timer = 0
let isWriting = false

/** The words of a search. All its requests, for results and for counts, contain the same words. */
const searchOf = (path: string) => (path.startsWith('search?') ? new URL(path, location.href).searchParams.get('q') : null)

export function keepAnswer(path: string, text: string, key: string | null): void {
  const search = searchOf(path)
  for (const earlier of search === null ? [] : [...waiting.keys()]) {
    const other = searchOf(earlier)
    if (other !== null && other !== search) waiting.delete(earlier)
  }
  waiting.set(path, { text, key, at: new Date() })
  clearTimeout(timer)
  timer = window.setTimeout(() => void write(), QUIET_MS)
}

async function write(): Promise<void> {
  if (isWriting) return
  isWriting = true
  try {
    for (const [path, { text, key, at }] of waiting) {
      waiting.delete(path)
      // another tab may have removed the key
      if (!isStoredKey(key)) continue
      const name = await cacheName(key)
      const cache = await caches.open(name)
      const headers = { 'Content-Type': 'application/json', Date: at.toUTCString() }
      await cache.delete(addressOf(path))
      await cache.put(addressOf(path), new Response(text, { headers }))
      const all = await cache.keys()
      for (const oldest of all.slice(0, Math.max(0, all.length - ANSWERS_MAX))) await cache.delete(oldest)
      if (!isStoredKey(key)) await caches.delete(name)
    }
  } catch {
    // storage may be full or forbidden
    waiting.clear()
  } finally {
    isWriting = false
  }
}
window.addEventListener('pagehide', () => void write())

export async function findAnswer<T>(path: string): Promise<Answer<T> | undefined> {
  const kept = await caches.match(addressOf(path), { cacheName: await cacheName(keptKey()) })
  if (kept === undefined) {
    if (shown?.address !== location.pathname + location.search) keptSince.value = null
    return undefined
  }
  const text = await kept.text()
  const { data, meta, facets } = JSON.parse(text) as { data: T; meta: Meta; facets?: Partial<Facets> }
  // facts about the dataset do not count as content of the page
  if (path !== 'dataset') show(new Date(kept.headers.get('Date') ?? 0))
  return { kind: 'ok', data, meta, facets, text }
}

let shown: { address: string; at: Date } | null = null
let asking = 0

/** The note has the date of the page's oldest stored answer. */
function show(at: Date): void {
  const address = location.pathname + location.search
  const isNew = shown === null
  shown = { address, at: shown !== null && shown.address === address && shown.at < at ? shown.at : at }
  keptSince.value = shown.at
  if (!isNew) return
  window.addEventListener('online', askAgain)
  asking = window.setInterval(() => void askAgain(), AGAIN_MS)
}

/** The health check needs no key and does not count as a request. */
export async function askAgain(): Promise<void> {
  try {
    const response = await fetch('/api/v1/health', { cache: 'no-store' })
    if (response.ok) endOffline()
  } catch {
    // still offline
  }
}

export function endOffline(): void {
  if (shown === null) return
  shown = null
  clearInterval(asking)
  window.removeEventListener('online', askAgain)
  keptSince.value = null
  // answers from storage must not stay in memory as if they were current
  forgetAnswers()
  window.dispatchEvent(new Event(ONLINE_AGAIN))
}
