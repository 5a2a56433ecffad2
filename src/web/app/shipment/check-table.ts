/** What became of each code: a table on wide screens, cards on narrow ones; and files of all of it. */
import type { Candidate } from '../../../answers/shapes.js'
import type { Resolved } from '../data/api.js'
import type { Accepted, Compared } from '../data/kept-work.js'
import { type Child, h, icon, replace } from '../dom/dom.js'
import { button } from '../dom/states.js'
import { copyButton } from '../dom/take-along.js'
import { lang, t } from '../shared/language.js'
import { codeColumn, columnHtml, download } from './check-export.js'
import { type AcceptedCode, clearCode, drawRow, type Row, statusOf } from './check-row.js'
import { repairStrings } from './check-strings.js'
import type { Pasted } from './paste.js'

const s = repairStrings[lang]

const SHOWN_FIRST = 200
const STATUSES = [
  'corrected',
  'found',
  'normalised',
  'moved',
  'contradicts',
  'doubtful',
  'ambiguous',
  'unknown',
  'invalid',
  'blank',
]

export interface TableChoice {
  /** The status that is shown; '' for all. */
  only: string
  shownMax: number
}

export const FIRST_CHOICE: TableChoice = { only: '', shownMax: SHOWN_FIRST }

const acceptedCode = ({ hs_code, description, tariff_rate }: Candidate): AcceptedCode => ({ hs_code, description, tariff_rate })

export class CheckTable {
  readonly element: HTMLElement
  readonly #pasted: Pasted
  readonly #body = h('tbody')
  readonly #counts = h('div', { class: 'segments counts' })
  readonly #more = h('div', { class: 'more' })
  readonly #complaint = h('p', { class: 'complaint', role: 'alert' })
  readonly #changed: () => void
  /** By row. */
  readonly results: (Resolved | null)[] = []
  compared: (Compared | null)[] = []
  readonly accepted = new Map<number, AcceptedCode>()
  /** The column with the words; -1 for none. */
  words: number
  readonly #shown = new Map<number, HTMLElement>()
  #only: string
  #shownMax: number

  /** `changed` is called after every result and choice. */
  constructor(pasted: Pasted, words: number, edition: string, { only, shownMax }: TableChoice, changed: () => void) {
    this.#pasted = pasted
    this.words = words
    this.#only = only
    this.#shownMax = shownMax
    this.#changed = changed
    const head = [t.thInput, t.thStatus, t.thCode, t.thWords, t.thRate]
    this.element = h(
      'div',
      { class: 'check-result', 'data-edition': edition },
      h(
        'div',
        { class: 'row check-tools' },
        h('fieldset', {}, h('legend', { class: 'unseen' }, t.checkFilter), this.#counts),
        this.#tools(),
      ),
      this.#complaint,
      h(
        'table',
        { class: 'checked' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            head.map(text => h('th', { scope: 'col' }, text)),
          ),
        ),
        this.#body,
      ),
      this.#more,
    )
  }

  #tools(): HTMLElement {
    const file = (label: string, ending: 'csv' | 'xlsx') => button([icon('down'), label], () => void this.#download(ending))
    const column = () => codeColumn(this.#pasted, this.results, this.accepted)
    return h(
      'div',
      { class: 'row' },
      copyButton(
        'codes',
        t.checkCopy,
        () => column().join('\n'),
        () => columnHtml(column()),
      ),
      file(t.checkExcel, 'xlsx'),
      file(t.checkDownload, 'csv'),
    )
  }

  async #download(ending: 'csv' | 'xlsx'): Promise<void> {
    this.#complaint.textContent = ''
    try {
      await download(ending, this.#pasted, this.results, this)
    } catch {
      this.#complaint.textContent = t.checkFileFailed
    }
  }

  get choice(): TableChoice {
    return { only: this.#only, shownMax: this.#shownMax }
  }

  add(found: readonly (Resolved | null)[]): void {
    this.restore(found)
    this.#changed()
  }

  /** Results that are saved already. */
  restore(found: readonly (Resolved | null)[]): void {
    const from = this.results.length
    this.results.push(...found)
    const space = Math.max(0, this.#shownMax - this.#body.childElementCount)
    this.#body.append(
      ...this.#wanted(from)
        .slice(0, space)
        .map(at => this.#draw(at)),
    )
    this.#drawCounts()
    this.#drawMore()
  }

  finish(): void {
    this.#drawCounts()
  }

  /** What the words of the next rows say. */
  compare(found: readonly (Compared | null)[]): void {
    const from = this.compared.length
    this.compared.push(...found)
    for (let at = from; at < this.compared.length; at++) this.#drawAgain(at)
    this.#drawCounts()
    this.#changed()
  }

  /** Takes over what was saved. */
  restoreRepair(compared: readonly (Compared | null)[], accepted: Accepted): void {
    this.compared = [...compared]
    for (const [at, one] of accepted) this.accepted.set(at, one)
    this.redraw()
  }

  /** Another column has the words: what was said of the former ones no longer holds. */
  setWords(words: number): void {
    this.words = words
    this.compared = []
    this.redraw()
    this.#changed()
  }

  row(at: number): Row {
    const cells = this.#pasted.rows[at] ?? []
    return {
      given: cells[this.#pasted.column]?.trim() ?? '',
      words: this.words < 0 ? '' : (cells[this.words]?.trim() ?? ''),
      found: this.results[at] ?? null,
      compared: this.compared[at] ?? null,
      accepted: this.accepted.get(at),
    }
  }

  /** Rows whose proposal can be accepted without a look. */
  clear(): { at: number; candidate: Candidate }[] {
    return this.compared.flatMap((_, at) => {
      const candidate = clearCode(this.row(at))
      return candidate ? [{ at, candidate }] : []
    })
  }

  acceptClear(): void {
    for (const { at, candidate } of this.clear()) this.accepted.set(at, acceptedCode(candidate))
    this.redraw()
    this.#changed()
  }

  undoAll(): void {
    this.accepted.clear()
    this.redraw()
    this.#changed()
  }

  #setAccepted(at: number, candidate: Candidate | null): void {
    if (candidate) this.accepted.set(at, acceptedCode(candidate))
    else this.accepted.delete(at)
    this.#drawAgain(at)
    // the button that was pressed is gone
    this.#shown
      .get(at)
      ?.querySelector<HTMLElement>(candidate ? '.undo' : '.accept, a')
      ?.focus()
    this.#drawCounts()
    this.#changed()
  }

  #wanted(from = 0): number[] {
    const rows: number[] = []
    for (let at = from; at < this.results.length; at++)
      if (this.#only === '' || statusOf(this.row(at)) === this.#only) rows.push(at)
    return rows
  }

  #draw(at: number): HTMLElement {
    const element = drawRow(this.row(at), {
      accept: candidate => this.#setAccepted(at, candidate),
      undo: () => this.#setAccepted(at, null),
    })
    this.#shown.set(at, element)
    return element
  }

  /** In its place, although it may have another status now than the one that is shown. */
  #drawAgain(at: number): void {
    const before = this.#shown.get(at)
    if (before?.isConnected) before.replaceWith(this.#draw(at))
  }

  redraw(): void {
    this.#shown.clear()
    replace(
      this.#body,
      this.#wanted()
        .slice(0, this.#shownMax)
        .map(at => this.#draw(at)),
    )
    this.#drawCounts()
    this.#drawMore()
  }

  #drawMore(): void {
    const all = this.#wanted().length
    const isCut = all > this.#shownMax
    replace(
      this.#more,
      isCut && [
        h('p', { class: 'hint' }, t.shownOf(this.#shownMax, all)),
        button(t.more, () => {
          this.#shownMax += 500
          this.redraw()
          this.#changed()
        }),
      ],
    )
  }

  #drawCounts(): void {
    const counts = new Map<string, number>()
    for (let at = 0; at < this.results.length; at++) {
      const status = statusOf(this.row(at))
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    const choice = (value: string, text: Child, count: number) =>
      h(
        'label',
        {},
        h('input', {
          type: 'radio',
          name: 'status',
          value,
          checked: value === this.#only,
          onchange: () => {
            this.#only = value
            this.redraw()
            this.#changed()
          },
        }),
        h('span', {}, text, ' ', h('b', {}, count)),
      )
    const focused = document.activeElement instanceof HTMLInputElement && this.#counts.contains(document.activeElement)
    replace(
      this.#counts,
      choice('', t.checkAll, this.results.length),
      STATUSES.filter(one => counts.has(one)).map(one => choice(one, s.status[one] ?? t.status[one], counts.get(one) ?? 0)),
    )
    if (focused) this.#counts.querySelector<HTMLInputElement>('input:checked')?.focus()
  }
}
