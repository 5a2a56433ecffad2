/** Many rows asked for in batches. Each counts as a request, so batches take what the minute still has, and wait for the next. */

import type { Answer, Trouble } from '../data/answer.js'
import { isAbort, limits, refreshLimits } from '../data/api.js'
import { announce, fillText, h, replace } from '../dom/dom.js'
import { button, troubleView } from '../dom/states.js'
import { t } from '../shared/language.js'

const OFFLINE_AGAIN_SECONDS = 5

/** So many may be asked for now. */
const roomLeft = () => Math.min(limits.remaining, limits.remainingDay)

export interface Batches<Item, Found> {
  /** By row; null where there is nothing to ask for. */
  items: readonly (Item | null)[]
  /** So many rows are there already. */
  done: number
  batchMax: number
  label: string
  stopLabel: string
  progress: (done: number, all: number) => string
  ask: (items: readonly Item[], signal: AbortSignal) => Promise<Answer<readonly Found[]>>
  /** Takes in what came back for the next rows. */
  take: (found: readonly (Found | null)[]) => void
  /** Called when the visitor stops it. */
  stopped: () => void
  finished: () => void
}

export class BatchRun<Item, Found> {
  readonly element = h('div', { class: 'check-run' })
  readonly #bar: HTMLProgressElement
  readonly #told = h('p', { class: 'hint' })
  readonly #batches: Batches<Item, Found>
  readonly #controller = new AbortController()
  #done: number
  #timer = 0
  isStopped = false

  constructor(batches: Batches<Item, Found>) {
    this.#batches = batches
    this.#done = batches.done
    this.#bar = h('progress', { 'aria-label': batches.label, max: Math.max(1, batches.items.length) })
  }

  /** Without asking for the rest. */
  showStopped(): void {
    this.isStopped = true
    this.#tell()
    this.#finish()
    this.#batches.stopped()
  }

  start(): void {
    const { items, stopLabel } = this.#batches
    if (this.#done >= items.length) {
      this.#tell()
      return this.#finish()
    }
    replace(
      this.element,
      this.#bar,
      this.#told,
      button(stopLabel, () => this.showStopped()),
    )
    this.#tell()
    void this.#next()
  }

  stop(): void {
    this.#controller.abort()
    clearTimeout(this.#timer)
  }

  #finish(): void {
    this.stop()
    replace(this.element, this.#told)
    this.#batches.finished()
  }

  #progress(): string {
    return this.#batches.progress(this.#done, this.#batches.items.length)
  }

  #tell(): void {
    delete this.#told.dataset.state
    this.#bar.value = this.#done
    this.#told.textContent = this.#progress()
  }

  async #next(): Promise<void> {
    const { items, batchMax, ask, take } = this.#batches
    const { signal } = this.#controller
    await refreshLimits(signal)
    while (this.#done < items.length) {
      // one even where there is room for none: its refusal tells how long to wait
      const size = Math.min(batchMax, Math.max(1, roomLeft()))
      const batch = items.slice(this.#done, this.#done + size)
      const asked = batch.filter(one => one !== null)
      let found: readonly Found[] = []
      if (asked.length > 0) {
        try {
          const answer = await ask(asked, signal)
          if (signal.aborted) return
          // others used the same key meanwhile
          if (answer.kind === 'limit' && roomLeft() > 0 && roomLeft() < asked.length) continue
          if (answer.kind !== 'ok') return this.#trouble(answer)
          found = answer.data
        } catch (error) {
          if (isAbort(error)) return
          throw error
        }
      }
      const rest = found.values()
      this.#done += batch.length
      take(batch.map(one => (one === null ? null : (rest.next().value ?? null))))
      this.#tell()
    }
    announce(this.#told.textContent ?? '')
    this.#finish()
  }

  #trouble(trouble: Trouble): void {
    if (trouble.kind === 'limit' || trouble.kind === 'starting') return this.#wait(trouble.kind, trouble.seconds)
    if (trouble.kind === 'offline') {
      this.#told.textContent = t.offlineText
      this.#told.dataset.state = 'offline'
      return this.#later(OFFLINE_AGAIN_SECONDS)
    }
    replace(
      this.element,
      troubleView(trouble, () => this.start()),
    )
  }

  #wait(kind: 'limit' | 'starting', seconds: number): void {
    const end = Date.now() + seconds * 1000
    const sentence = kind === 'limit' ? t.limitText : t.startingText
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000)
      if (left <= 0) {
        this.#tell()
        return void this.#next()
      }
      this.#told.dataset.state = kind
      this.#told.textContent = `${this.#progress()}. ${fillText(sentence, { seconds: t.seconds(left) })}`
      this.#timer = window.setTimeout(tick, 250)
    }
    tick()
    announce(this.#told.textContent ?? '')
  }

  #later(seconds: number): void {
    this.#timer = window.setTimeout(() => void this.#next(), seconds * 1000)
  }
}
