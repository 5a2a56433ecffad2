/** The key that the pages send: the visitor's, or the server's own if visitors need none. */
import { forgetAnswers } from './answer.js'

/** The localStorage item with the key. The viewer at /docs/api reads it, too. */
const KEPT = 'hsapi-key'

type Mode = { mode: 'open'; key: string } | { mode: 'key' }

/** If the browser forbids storage, the key lasts as long as the page. */
let kept: string | null = null
try {
  kept = localStorage.getItem(KEPT)
} catch {}

/** Prefix of the caches with answers for offline use. The rest of the name identifies the key. */
export const ANSWERS = 'hsapi-answers-'

/** Must be called when the key changes, because stored answers belong to the key that they were fetched with. */
export async function forgetKeptAnswers(): Promise<void> {
  try {
    for (const name of await caches.keys()) if (name.startsWith(ANSWERS)) await caches.delete(name)
  } catch {
    // browsers have no cache storage over plain HTTP
  }
}

/** Whether this browser still stores this key, or still stores none if `key` is null. Another tab may have changed it. */
export function isStoredKey(key: string | null): boolean {
  try {
    return localStorage.getItem(KEPT) === key
  } catch {
    return false
  }
}

function keepKey(key: string): void {
  if (key !== kept) void forgetKeptAnswers()
  kept = key
  try {
    localStorage.setItem(KEPT, key)
  } catch {}
}

/** Dispatched on the window when the key changes or is removed. The page then requests everything again. */
export const KEY_CHANGED = 'hsapi-key-changed'

export function changeKey(key: string | null): void {
  if (key === null) forgetKey()
  else keepKey(key)
  forgetAnswers()
  window.dispatchEvent(new Event(KEY_CHANGED))
}

function forgetKey(): void {
  void forgetKeptAnswers()
  kept = null
  try {
    localStorage.removeItem(KEPT)
  } catch {}
}

export const keptKey = () => kept
export const hasKeptKey = () => kept !== null
export const isKept = (key: string) => kept === key

let asked: Promise<Mode> | null = null

async function askMode(): Promise<Mode> {
  const response = await fetch('/explorer.json', { cache: 'no-store' })
  if (!response.ok) throw new TypeError('no mode')
  const answer = (await response.json()) as Mode
  // answers that needed no key must not be shown to visitors who now need one
  if (answer.mode === 'key' && kept === null) void forgetKeptAnswers()
  return answer
}

/** Rejects like fetch if the server cannot be reached; the next call tries again. */
export function mode(): Promise<Mode> {
  asked ??= askMode().catch(error => {
    asked = null
    throw error
  })
  return asked
}

/** Makes the next call request the mode again, because the server's own key changes with every restart. */
export function askModeAgain(): void {
  asked = null
}

/** The visitor's key, else the server's own; null if the visitor has to enter a key. */
export async function currentKey(): Promise<string | null> {
  if (kept !== null) return kept
  const answer = await mode()
  return answer.mode === 'open' ? answer.key : null
}

/** Reads `/#key=hs_…`, which the first start prints, and removes the key from the address, so that a copied link lacks it. */
export function takeKeyFromAddress(): string | null {
  const found = /^#key=(hs_[A-Za-z0-9_-]+)$/.exec(location.hash)
  if (!found) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return found[1] as string
}
