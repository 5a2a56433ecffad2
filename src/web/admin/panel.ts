/** The state of the page. Requests figures and keys every few seconds while the page is visible. */
import { type Answer, ask, hasToken, keepToken, type ListedKey, type Usage } from './api.js'
import { addressOf, keysPath, type Place, placeIn } from './place.js'

const AGAIN_MS = 5_000
const TYPED_MS = 250

export interface Listed {
  readonly keys: readonly ListedKey[]
  readonly total: number
  /** The part of the list for which the keys were requested. */
  readonly place: Place
}

export interface State {
  readonly access: { kind: 'asking' | 'open' } | { kind: 'token'; isWrong: boolean } | { kind: 'refused'; reason: string }
  readonly isOffline: boolean
  readonly usage: Usage | null
  readonly listed: Listed | null
  /** Why the server refuses to list keys, or ''. */
  readonly complaint: string
  readonly place: Place
  /** The text in the search box. */
  readonly typed: string
}

export class Panel {
  #state: State
  #again = 0
  #typing = 0
  #isRunning = false
  #isDue = false

  constructor(
    private readonly show: (state: State) => void,
    private isSeen: boolean,
  ) {
    const place = placeIn(location.search)
    const access = { kind: 'asking' } as const
    this.#state = { access, isOffline: false, usage: null, listed: null, complaint: '', place, typed: place.search }
  }

  /** Requests usage and keys. If requests are already running, they are sent once more afterwards. */
  async refresh(): Promise<void> {
    clearTimeout(this.#again)
    this.#isDue = true
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#isDue) {
      this.#isDue = false
      const { place } = this.#state
      const [usage, keys] = await Promise.all([ask<Usage>('/usage'), ask<ListedKey[]>(keysPath(place))])
      // the visitor may have turned to another part of the list in the meantime
      if (place === this.#state.place) this.#takeKeys(keys)
      this.#takeUsage(usage)
    }
    this.#isRunning = false
    if (this.isSeen && this.#state.access.kind === 'open') this.#again = setTimeout(() => void this.refresh(), AGAIN_MS)
  }

  see(isSeen: boolean): void {
    this.isSeen = isSeen
    clearTimeout(this.#again)
    if (isSeen && this.#state.access.kind === 'open') void this.refresh()
  }

  type(typed: string): void {
    this.#set({ typed })
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => this.go({ search: typed, offset: 0 }, false), TYPED_MS)
  }

  /** `isStep`: whether to add a history entry. */
  go(part: Partial<Place>, isStep: boolean): void {
    const place = { ...this.#state.place, ...part }
    const address = addressOf(place, location.search)
    if (isStep) history.pushState(null, '', address)
    else history.replaceState(history.state, '', address)
    this.#set({ place })
    void this.refresh()
  }

  /** Called after the browser went back or forward. */
  followAddress(): void {
    clearTimeout(this.#typing)
    const place = placeIn(location.search)
    this.#set({ place, typed: place.search })
    void this.refresh()
  }

  /** Null removes the token. */
  enter(token: string | null): void {
    keepToken(token)
    void this.refresh()
  }

  #set(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part }
    this.show(this.#state)
  }

  #takeKeys(answer: Answer<ListedKey[]>): void {
    const { place } = this.#state
    if (answer.kind === 'refused') this.#set({ complaint: answer.message })
    if (answer.kind !== 'ok') return
    // the last page may no longer exist
    if (answer.data.length === 0 && place.offset > 0) return this.go({ offset: 0 }, false)
    this.#set({ complaint: '', listed: { keys: answer.data, total: answer.total, place } })
  }

  #takeUsage(answer: Answer<Usage>): void {
    const isOffline = answer.kind === 'offline'
    if (answer.kind === 'token') {
      const isWrong = hasToken()
      keepToken(null)
      this.#set({ isOffline, access: { kind: 'token', isWrong }, usage: null, listed: null })
    } else if (answer.kind === 'refused' && answer.status === 403) {
      this.#set({ isOffline, access: { kind: 'refused', reason: answer.message } })
    } else {
      const usage = answer.kind === 'ok' ? answer.data : this.#state.usage
      this.#set({ isOffline, access: { kind: 'open' }, usage })
    }
  }
}
