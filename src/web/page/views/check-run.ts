/** One check of many codes. Each code counts as a request, so batches take what the minute still has, and wait for the next. */
import { ask, isAbort, limits, type Resolved, refreshLimits, type Trouble } from '../api.js'
import { country } from '../country.js'
import { announce, fillText, h, replace } from '../dom.js'
import { t } from '../language.js'
import { button, troubleView } from '../states.js'
import type { CheckTable } from './check-table.js'

const BATCH_MAX = 200
const OFFLINE_AGAIN_SECONDS = 5

/** So many may be asked for now. */
const roomLeft = () => Math.min(limits.remaining, limits.remainingDay)

export class CheckRun {
  readonly element = h('div', { class: 'check-run' })
  readonly #bar = h('progress', { 'aria-label': t.checkGo })
  readonly #told = h('p', { class: 'hint' })
  readonly #codes: readonly string[]
  readonly #edition: string
  readonly #table: CheckTable
  readonly #changed: () => void
  readonly #controller = new AbortController()
  #done: number
  #timer = 0
  isStopped = false

  /** Continues behind what the table has already. `changed` is called when the visitor stops it. */
  constructor(codes: readonly string[], edition: string, table: CheckTable, changed: () => void) {
    this.#codes = codes
    this.#edition = edition
    this.#table = table
    this.#changed = changed
    this.#done = table.results.length
    this.#bar.max = codes.length
  }

  /** Without asking for the rest. */
  showStopped(): void {
    this.isStopped = true
    this.#tell()
    this.#finish()
    this.#changed()
  }

  start(): void {
    if (this.#done >= this.#codes.length) {
      this.#tell()
      return this.#finish()
    }
    replace(
      this.element,
      this.#bar,
      this.#told,
      button(t.checkStop, () => this.showStopped()),
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
    this.#table.finish()
  }

  #tell(): void {
    delete this.#told.dataset.state
    this.#bar.value = this.#done
    this.#told.textContent = t.checkProgress(this.#done, this.#codes.length)
  }

  /** Empty cells are no codes: they are shown without being asked for. */
  async #next(): Promise<void> {
    await refreshLimits(this.#controller.signal)
    while (this.#done < this.#codes.length) {
      // one even where there is room for none: its refusal tells how long to wait
      const size = Math.min(BATCH_MAX, Math.max(1, roomLeft()))
      const batch = this.#codes.slice(this.#done, this.#done + size)
      const asked = batch.filter(one => one !== '')
      let found: Resolved[] = []
      if (asked.length > 0) {
        try {
          const answer = await ask<Resolved[]>('resolve', {
            body: { codes: asked, edition: this.#edition, ...(country() !== '' && { country: country() }) },
            signal: this.#controller.signal,
          })
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
      this.#table.add(batch.map(one => (one === '' ? null : (rest.next().value ?? null))))
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
      const progress = t.checkProgress(this.#done, this.#codes.length)
      this.#told.textContent = `${progress}. ${fillText(sentence, { seconds: t.seconds(left) })}`
      this.#timer = window.setTimeout(tick, 250)
    }
    tick()
    announce(this.#told.textContent ?? '')
  }

  #later(seconds: number): void {
    this.#timer = window.setTimeout(() => void this.#next(), seconds * 1000)
  }
}
