/**
 * A place on the page that is filled by an answer. It shows that it waits, that it waits long, and what went wrong; it goes on by
 * itself where that helps. A newer question in the same place ends the older one, whose answer is dropped however late it comes.
 */

import type { Answer, Trouble } from '../data/answer.js'
import { isAbort } from '../data/api.js'
import { type Child, replace } from './dom.js'
import { slow, troubleView, unhost } from './states.js'

/** Under this nothing flickers. */
const WAITING_MS = 140
const SLOW_MS = 3000

export interface Plan<T> {
  ask: (signal: AbortSignal) => Promise<Answer<T>>
  show: (data: T, answer: Extract<Answer<T>, { kind: 'ok' }>) => void
  /** Shown while it waits; without it the old content stays, paler. */
  waiting?: () => Child
  /** A trouble that the place shows in its own way; undefined leaves it to the common one. */
  trouble?: (trouble: Trouble) => Child | undefined
  /** What is done already, said while the rest waits for the limit. */
  progress?: () => string
}

export class Slot {
  readonly element: HTMLElement
  #stop: () => void = () => {}

  constructor(element: HTMLElement) {
    this.element = element
  }

  stop(): void {
    this.#stop()
    this.#stop = () => {}
    this.element.removeAttribute('aria-busy')
    this.element.classList.remove('stale')
  }

  load<T>(plan: Plan<T>): void {
    this.stop()
    const { element } = this
    const controller = new AbortController()
    const timers = new Set<number>()
    let isOver = false
    const later = (ms: number, run: () => void) => {
      const timer = window.setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms)
      timers.add(timer)
    }
    const again = () => this.load(plan)
    this.#stop = () => {
      isOver = true
      controller.abort()
      for (const timer of timers) clearTimeout(timer)
      window.removeEventListener('online', again)
    }

    later(WAITING_MS, () => {
      element.setAttribute('aria-busy', 'true')
      if (plan.waiting) replace(element, plan.waiting())
      else element.classList.add('stale')
    })
    later(SLOW_MS, () => {
      element.querySelector('.notice')?.remove()
      element.prepend(slow(again))
    })

    plan.ask(controller.signal).then(
      answer => {
        if (isOver) return
        this.stop()
        if (answer.kind === 'ok') plan.show(answer.data, answer)
        else this.#tell(answer, plan, again)
      },
      error => {
        if (!isOver && !isAbort(error)) {
          this.stop()
          replace(element, troubleView({ kind: 'broken', id: null }, again))
          throw error
        }
      },
    )
  }

  #tell<T>(trouble: Trouble, plan: Plan<T>, again: () => void): void {
    const own = plan.trouble?.(trouble)
    if (own !== undefined) return replace(this.element, own)
    const shown = troubleView(trouble, again, plan.progress?.())
    replace(this.element, shown)
    // it asks again by itself until then
    this.#stop = () => unhost(shown.parentElement)
  }
}
