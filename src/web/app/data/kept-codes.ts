/** Lists of codes stored in this browser: recent, starred, compared. They are never sent anywhere. */
import { signal } from '@preact/signals'
import type { Description } from '../../../answers/shapes.js'

/** Includes the description, so that a list is shown without a request. */
export interface KeptCode {
  hs_code: string
  description: Description
}

export const COMPARED_MAX = 4

const isWord = (value: unknown) => typeof value === 'string'

/** Stored data may come from another version or another program. */
function isKept(value: unknown): value is KeptCode {
  const { hs_code, description } = (value ?? {}) as Partial<KeptCode>
  return typeof hs_code === 'string' && /^\d{2,14}$/.test(hs_code) && isWord(description?.en) && isWord(description?.ar)
}

/** Components that read a list are redrawn when it changes. */
class KeptCodes {
  readonly #list = signal<readonly KeptCode[]>([])

  constructor(
    private readonly name: string,
    private readonly max: number,
  ) {
    this.#list.value = this.#stored()
    window.addEventListener('storage', ({ key }) => {
      // null: the whole storage was cleared
      if (key === name || key === null) this.#list.value = this.#stored()
    })
  }

  /** If the browser forbids storage, the list lasts as long as the page. */
  #stored(): readonly KeptCode[] {
    let text: string | null
    try {
      text = localStorage.getItem(this.name)
    } catch {
      return this.#list.peek()
    }
    try {
      const list: unknown = JSON.parse(text ?? '[]')
      return Array.isArray(list) ? list.filter(isKept).slice(0, this.max) : []
    } catch {
      return []
    }
  }

  /** Latest first. */
  all(): readonly KeptCode[] {
    return this.#list.value
  }

  has(hsCode: string): boolean {
    return this.all().some(({ hs_code }) => hs_code === hsCode)
  }

  isFull(): boolean {
    return this.all().length >= this.max
  }

  /** Adds a code as the latest, and drops the oldest beyond `max`. */
  add({ hs_code, description: { en, ar } }: KeptCode): void {
    const others = this.#stored().filter(one => one.hs_code !== hs_code)
    this.set([{ hs_code, description: { en, ar } }, ...others].slice(0, this.max))
  }

  remove(hsCode: string): void {
    this.set(this.#stored().filter(({ hs_code }) => hs_code !== hsCode))
  }

  clear(): void {
    this.set([])
  }

  set(list: readonly KeptCode[]): void {
    try {
      if (list.length === 0) localStorage.removeItem(this.name)
      else localStorage.setItem(this.name, JSON.stringify(list))
    } catch {}
    this.#list.value = list
  }
}

export const recent = new KeptCodes('hsapi-recent', 12)
export const starred = new KeptCodes('hsapi-starred', 100)
/** In the order in which they were chosen, unlike the other lists: see `toggleCompared`. */
export const compared = new KeptCodes('hsapi-compared', COMPARED_MAX)

/** False if the code cannot be added because the list is full. */
export function toggleCompared({ hs_code, description: { en, ar } }: KeptCode): boolean {
  if (compared.has(hs_code)) compared.remove(hs_code)
  else if (compared.isFull()) return false
  else compared.set([...compared.all(), { hs_code, description: { en, ar } }])
  return true
}
