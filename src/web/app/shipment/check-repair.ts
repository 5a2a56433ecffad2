/** Rows compared with their words, once the visitor wants it: each title counts as a request. */
import type { Classification, Classified, ClassifyItem } from '../../../answers/shapes.js'
import { ask, type Resolved } from '../data/api.js'
import { country } from '../data/country.js'
import type { Compared } from '../data/kept-work.js'
import { announce, h, replace } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { lang } from '../shared/language.js'
import type { Row } from './check-row.js'
import { BatchRun } from './check-run.js'
import { repairStrings } from './check-strings.js'
import type { CheckTable } from './check-table.js'

const s = repairStrings[lang]

/** As many as the API takes. */
const BATCH_MAX = 100
const WITHIN_MAX = 20
const TEXT_MAX = 500
const RESOLVED_MAX = 200
/** More than the best three help nobody in a table. */
const PROPOSED_MAX = 3

/** Null for a row without words. */
function itemOf({ words, found }: Row): ClassifyItem | null {
  const text = [...words.replace(/\s+/g, ' ').trim()].slice(0, TEXT_MAX).join('')
  if ([...text].length < 2) return null
  if (found?.status === 'ambiguous' || found?.status === 'unknown') {
    // an older code: its goods are under one of these
    if (found.candidates.length > 0) return { text, within: found.candidates.slice(0, WITHIN_MAX) }
    return { text }
  }
  return found?.hs_code ? { text, hs_code: found.hs_code } : { text }
}

function comparedOf({ status, candidates, verdict }: Classified): Compared {
  if (verdict?.status === 'agrees') return { status, verdict: 'agrees', candidates: [] }
  const better = (verdict ? verdict.against : candidates).slice(0, PROPOSED_MAX)
  const isFirst = better[0]?.hs_code === candidates[0]?.hs_code
  return { status: status === 'clear' && !isFirst ? 'choose' : status, verdict: verdict?.status ?? null, candidates: better }
}

const forCountry = () => (country() === '' ? {} : { country: country() })

export class Repair {
  readonly element = h('section', { class: 'check-repair', hidden: true, 'aria-label': s.title })
  readonly #table: CheckTable
  #run: BatchRun<ClassifyItem, Classified> | null = null

  constructor(table: CheckTable) {
    this.#table = table
  }

  stop(): void {
    this.#run?.stop()
    this.#run = null
  }

  #items(): (ClassifyItem | null)[] {
    return this.#table.results.map((_, at) => itemOf(this.#table.row(at)))
  }

  /** While it runs, its progress stands here. */
  draw(): void {
    if (this.#run) return
    const { compared, accepted, results, words } = this.#table
    const titles = words < 0 ? 0 : this.#items().filter(one => one !== null).length
    this.element.hidden = titles === 0 && accepted.size === 0
    const isBegun = compared.length > 0
    const isDone = compared.length >= results.length
    const clear = this.#table.clear().length
    replace(
      this.element,
      h('h2', {}, s.title),
      h('p', { class: 'hint' }, isBegun ? s.progress(compared.length, results.length) : s.text(titles)),
      isDone && clear === 0 && accepted.size === 0 && isBegun && h('p', { class: 'hint' }, s.noneClear),
      accepted.size > 0 && h('p', { class: 'hint' }, s.accepted(accepted.size)),
      h(
        'div',
        { class: 'row' },
        !isDone &&
          titles > 0 &&
          button(isBegun ? s.goOn : s.compare, () => this.#start(), isBegun ? {} : { class: 'button button-strong' }),
        clear > 0 && button(s.acceptAll(clear), () => this.#acceptAll(), { class: 'button button-strong accept-all' }),
        accepted.size > 0 && button(s.undoAll(accepted.size), () => this.#undoAll(), { class: 'button undo-all' }),
      ),
      isBegun && h('p', { class: 'hint' }, s.honest),
    )
  }

  #acceptAll(): void {
    this.#table.acceptClear()
    this.draw()
    announce(s.accepted(this.#table.accepted.size))
    this.element.querySelector<HTMLElement>('.undo-all')?.focus()
  }

  #undoAll(): void {
    this.#table.undoAll()
    this.draw()
    this.element.querySelector<HTMLElement>('button')?.focus()
  }

  #start(): void {
    const over = () => {
      this.#run = null
      this.draw()
    }
    this.#run = new BatchRun<ClassifyItem, Classified>({
      items: this.#items(),
      done: this.#table.compared.length,
      batchMax: BATCH_MAX,
      label: s.compare,
      stopLabel: s.stop,
      progress: s.progress,
      ask: async (items, signal) => {
        const body = { items, limit: PROPOSED_MAX, ...forCountry() }
        const answer = await ask<Classification>('classify', { body, signal })
        return answer.kind === 'ok' ? { ...answer, data: answer.data.items } : answer
      },
      take: found => this.#table.compare(found.map(one => one && comparedOf(one))),
      // the button that was pressed is gone
      stopped: () => this.element.querySelector<HTMLElement>('button')?.focus(),
      finished: over,
    })
    replace(this.element, h('h2', {}, s.title), this.#run.element)
    this.#run.start()
  }

  /** Another country has other rates: those of accepted codes are asked for again, the proposals are not kept. */
  async refreshRates(): Promise<void> {
    const { accepted } = this.#table
    const codes = [...new Set([...accepted.values()].map(({ hs_code }) => hs_code))]
    const rates = new Map<string, number>()
    for (let from = 0; from < codes.length; from += RESOLVED_MAX) {
      const body = { codes: codes.slice(from, from + RESOLVED_MAX), ...forCountry() }
      const answer = await ask<Resolved[]>('resolve', { body })
      if (answer.kind !== 'ok') break
      for (const { hs_code, record } of answer.data) if (hs_code && record) rates.set(hs_code, record.tariff_rate)
    }
    for (const [at, one] of accepted) accepted.set(at, { ...one, tariff_rate: rates.get(one.hs_code) ?? null })
    this.#table.redraw()
  }
}
