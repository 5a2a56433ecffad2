/** What became of each code: a table on wide screens, cards on narrow ones; and files of all of it. */
import { toCode } from '../address.js'
import type { Resolved } from '../api.js'
import { type Child, fill, h, icon, isolated, replace } from '../dom.js'
import { t } from '../language.js'
import { badge, code, codeLink, ourWords } from '../parts.js'
import type { Pasted } from '../paste.js'
import { button } from '../states.js'
import { codeColumn, columnHtml, download } from './check-export.js'
import { copyButton } from './take-along.js'

const SHOWN_FIRST = 200
const CANDIDATES_MAX = 4
const STATUSES = ['found', 'normalised', 'moved', 'ambiguous', 'unknown', 'invalid', 'blank']

export interface TableChoice {
  /** The status that is shown; '' for all. */
  only: string
  shownMax: number
}

export const FIRST_CHOICE: TableChoice = { only: '', shownMax: SHOWN_FIRST }

/** A blank row of what was pasted. */
const statusOf = (one: Resolved | null) => one?.status ?? 'blank'

export class CheckTable {
  readonly element: HTMLElement
  readonly #pasted: Pasted
  readonly #body = h('tbody')
  readonly #counts = h('div', { class: 'segments counts' })
  readonly #more = h('div', { class: 'more' })
  readonly #complaint = h('p', { class: 'complaint', role: 'alert' })
  readonly #changed: () => void
  readonly results: (Resolved | null)[] = []
  #only: string
  #shownMax: number

  /** `changed` is called after every result and choice. */
  constructor(pasted: Pasted, edition: string, { only, shownMax }: TableChoice, changed: () => void) {
    this.#pasted = pasted
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
    const column = () => codeColumn(this.#pasted, this.results)
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
      await download(ending, this.#pasted, this.results)
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
    const rows = found.map((one, at) => ({ one, at: from + at })).filter(({ one }) => this.#isWanted(one))
    const space = Math.max(0, this.#shownMax - this.#body.childElementCount)
    this.#body.append(...rows.slice(0, space).map(({ one, at }) => this.#row(one, at)))
    this.#drawCounts()
    this.#drawMore()
  }

  finish(): void {
    this.#drawCounts()
  }

  #isWanted(one: Resolved | null): boolean {
    return this.#only === '' || statusOf(one) === this.#only
  }

  #redraw(): void {
    const rows = this.results.map((one, at) => ({ one, at })).filter(({ one }) => this.#isWanted(one))
    replace(
      this.#body,
      rows.slice(0, this.#shownMax).map(({ one, at }) => this.#row(one, at)),
    )
    this.#drawMore()
  }

  #drawMore(): void {
    const all = this.results.filter(one => this.#isWanted(one)).length
    const isCut = all > this.#shownMax
    replace(
      this.#more,
      isCut && [
        h('p', { class: 'hint' }, t.shownOf(this.#shownMax, all)),
        button(t.more, () => {
          this.#shownMax += 500
          this.#redraw()
          this.#changed()
        }),
      ],
    )
  }

  #drawCounts(): void {
    const counts = new Map<string, number>()
    for (const one of this.results) counts.set(statusOf(one), (counts.get(statusOf(one)) ?? 0) + 1)
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
            this.#redraw()
            this.#changed()
          },
        }),
        h('span', {}, text, ' ', h('b', {}, count)),
      )
    const focused = document.activeElement instanceof HTMLInputElement && this.#counts.contains(document.activeElement)
    replace(
      this.#counts,
      choice('', t.checkAll, this.results.length),
      STATUSES.filter(one => counts.has(one)).map(one => choice(one, t.status[one], counts.get(one) ?? 0)),
    )
    if (focused) this.#counts.querySelector<HTMLInputElement>('input:checked')?.focus()
  }

  #row(one: Resolved | null, at: number): HTMLElement {
    const input = this.#pasted.rows[at]?.[this.#pasted.column]?.trim() ?? ''
    const status = statusOf(one)
    const cell = (label: string, ...children: Child[]) => h('td', { 'data-label': label }, children)
    return h(
      'tr',
      { 'data-status': status },
      cell(t.thInput, h('bdi', { class: 'given', dir: 'ltr' }, input)),
      cell(t.thStatus, h('span', { class: `status status-${status}` }, t.status[status] ?? status)),
      cell(t.thCode, one?.hs_code && codeLink(one.hs_code)),
      cell(t.thWords, one && this.#said(one)),
      cell(t.thRate, one?.record && badge(one.record.tariff_rate)),
    )
  }

  #said(one: Resolved): Child {
    const { record, candidates, nearest, status } = one
    const codes = candidates
      .slice(0, CANDIDATES_MAX)
      .map((each, at) => [at > 0 && ' ', h('a', { class: 'chip', href: toCode(each) }, code(each))])
    if (record) {
      const below = one.declarable ? t.declarable : one.lines > 0 ? t.linesBelow(one.lines) : null
      return [
        ourWords(record.description),
        below && h('span', { class: 'hint' }, ' ', below),
        candidates.length > 0 && h('span', { class: 'maybe' }, ' ', fill(t.candidates, { codes })),
      ]
    }
    if (status === 'invalid')
      return h('span', { class: 'hint' }, /scientific/i.test(one.reason ?? '') ? t.reasonScience : t.reasonDigits)
    if (candidates.length > 0) return h('span', { class: 'maybe' }, fill(t.candidates, { codes }))
    return nearest
      ? h('span', { class: 'maybe' }, fill(t.nearest, { code: codeLink(nearest) }))
      : h('span', { class: 'hint' }, isolated(t.missingText))
  }
}
