/**
 * Addresses that cause 401s. One that caused too many within a minute is shed: until that minute is over its requests
 * are refused before anything about them is looked at. Nobody else notices: while `shed` is 0 there is nothing to ask.
 */
import { MINUTE_MS } from '../clock.js'

/**
 * Addresses of each kind, counted and shed. At the default limit so many cannot all be shed within a minute: it would
 * take more 401s than a thread can answer.
 */
const ADDRESSES_MAX = 16_384

interface Window {
  startMs: number
  count: number
}

/** A clock that was set back must not lock anyone out: a window that starts in the future is over. */
const isOver = ({ startMs }: Window, nowMs: number) => nowMs >= startMs + MINUTE_MS || nowMs < startMs

export class Offenders {
  readonly #limit: number
  readonly #capacity: number
  /** Below the limit, the oldest window first: where there are too many, that one is forgotten. */
  readonly #counted = new Map<string, Window>()
  /** Kept apart, so that no number of addresses below the limit takes the place of one above it. */
  readonly #shed = new Map<string, Window>()
  /** When the first of those that are shed may be let in again. */
  #opensMs = Number.POSITIVE_INFINITY
  #lastMs = 0
  /** How many are shed: what a request looks at, and mostly all it looks at. */
  shed = 0

  /** `limit`: 401s a minute that an address may cause; 0 for any number. */
  constructor(limit: number, capacity = ADDRESSES_MAX) {
    this.#limit = limit
    this.#capacity = capacity
  }

  /** Addresses that are kept, of both kinds. */
  get size(): number {
    return this.#counted.size + this.#shed.size
  }

  get isCounting(): boolean {
    return this.#limit > 0
  }

  /** A 401 was decided. An address that is not known ('') is not counted. */
  count(address: string, nowMs: number): void {
    if (!this.isCounting || address === '') return
    this.#follow(nowMs)
    if (this.#shed.has(address)) return
    const window = this.#windowOf(address, nowMs)
    if (++window.count >= this.#limit) this.#startShedding(address, window)
  }

  /** Whole seconds until the address may cause 401s again; 0 where it is not shed. */
  secondsShed(address: string, nowMs: number): number {
    this.#follow(nowMs)
    const window = this.#shed.get(address)
    return window === undefined ? 0 : Math.ceil((window.startMs + MINUTE_MS - nowMs) / 1000)
  }

  #windowOf(address: string, nowMs: number): Window {
    const known = this.#counted.get(address)
    if (known !== undefined && !isOver(known, nowMs)) return known
    this.#counted.delete(address)
    if (this.#counted.size >= this.#capacity) this.#counted.delete(oldest(this.#counted))
    const window = { startMs: nowMs, count: 0 }
    this.#counted.set(address, window)
    return window
  }

  #startShedding(address: string, window: Window): void {
    this.#counted.delete(address)
    if (this.#shed.size >= this.#capacity) this.#shed.delete(oldest(this.#shed))
    this.#shed.set(address, window)
    this.shed = this.#shed.size
    this.#opensMs = Math.min(this.#opensMs, window.startMs + MINUTE_MS)
  }

  #follow(nowMs: number): void {
    const wasSetBack = nowMs < this.#lastMs
    if (wasSetBack) {
      // what was over already must not begin anew
      forgetOver(this.#counted, this.#lastMs)
      forgetOver(this.#counted, nowMs)
    }
    this.#lastMs = nowMs
    if (wasSetBack || nowMs >= this.#opensMs) {
      forgetOver(this.#shed, nowMs)
      this.shed = this.#shed.size
      this.#opensMs = Number.POSITIVE_INFINITY
      for (const { startMs } of this.#shed.values())
        this.#opensMs = Math.min(this.#opensMs, startMs + MINUTE_MS)
    }
  }
}

/** A Map gives its entries in the order in which they came. */
function oldest(windows: Map<string, Window>): string {
  return windows.keys().next().value as string
}

function forgetOver(windows: Map<string, Window>, nowMs: number): void {
  for (const [address, window] of windows) if (isOver(window, nowMs)) windows.delete(address)
}
