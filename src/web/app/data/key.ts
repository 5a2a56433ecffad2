/** Which key the pages ask with: the server's own for visitors on its machine, or the visitor's. */
import { forgetAnswers } from './answer.js'

/** The viewer at /docs/api reads it, too. */
const KEPT = 'hsapi-key'

type Mode = { mode: 'open'; key: string } | { mode: 'key' }

/** A browser may forbid storage; the key then lives as long as the page. */
let kept: string | null = null
try {
  kept = localStorage.getItem(KEPT)
} catch {}

/** Names of the caches with answers for when there is no connection; the rest of a name tells whose they are. */
export const ANSWERS = 'hsapi-answers-'

/** They belong to the key that got them. */
export async function forgetKeptAnswers(): Promise<void> {
  try {
    for (const name of await caches.keys()) if (name.startsWith(ANSWERS)) await caches.delete(name)
  } catch {
    // over plain HTTP there are none
  }
}

/** Whether this key, or none, is still the one that this browser keeps; another tab may have changed it. */
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

/** Dispatched at the window when another key is used, or none: the page asks for everything again. */
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
  // what was got without a key is not for visitors who need one
  if (answer.mode === 'key' && kept === null) void forgetKeptAnswers()
  return answer
}

/** Rejects as fetch does where the server is away; then it is asked again next time. */
export function mode(): Promise<Mode> {
  asked ??= askMode().catch(error => {
    asked = null
    throw error
  })
  return asked
}

/** After a restart the server's own key is another one. */
export function askModeAgain(): void {
  asked = null
}

/** null: the visitor has to give one. A key of one's own goes before the server's. */
export async function currentKey(): Promise<string | null> {
  if (kept !== null) return kept
  const answer = await mode()
  return answer.mode === 'open' ? answer.key : null
}

/** `/#key=hs_…`, as the first start prints it: taken out of the address before anybody sees or sends it. */
export function takeKeyFromAddress(): string | null {
  const found = /^#key=(hs_[A-Za-z0-9_-]+)$/.exec(location.hash)
  if (!found) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return found[1] as string
}
