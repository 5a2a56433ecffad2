/** What became of each code: a table on wide screens, cards on narrow ones; and a CSV of all of it. */
import { csvCells } from '../../../tables/csv-text.js'
import { toCode } from '../address.js'
import type { Resolved } from '../api.js'
import { type Child, fill, h, icon, isolated, replace } from '../dom.js'
import { t } from '../language.js'
import { badge, code, codeLink, ourWords } from '../parts.js'
import type { Pasted } from '../paste.js'
import { button } from '../states.js'

const SHOWN_FIRST = 200
const CANDIDATES_MAX = 4
const STATUSES = ['found', 'normalised', 'moved', 'ambiguous', 'unknown', 'invalid']
const ADDED = ['status', 'hs_code', 'description_en', 'description_ar', 'tariff_rate', 'lines', 'candidates']
/** Spreadsheets run cells that begin so, also where another separator than ours makes them begin; the pasted text is not ours. */
const FORMULA = /(^|[;\t\r\n])(?=[=+\-@])/g

const asCell = (text: string) => text.replace(FORMULA, "$1'")

export class CheckTable {
  readonly element: HTMLElement
  readonly #pasted: Pasted
  readonly #body = h('tbody')
  readonly #counts = h('div', { class: 'segments counts' })
  readonly #more = h('div', { class: 'more' })
  readonly #results: (Resolved | null)[] = []
  #only = ''
  #shownMax = SHOWN_FIRST

  constructor(pasted: Pasted, edition: string) {
    this.#pasted = pasted
    const head = [t.thInput, t.thStatus, t.thCode, t.thWords, t.thRate]
    this.element = h(
      'div',
      { class: 'check-result', 'data-edition': edition },
      h(
        'div',
        { class: 'row check-tools' },
        h('fieldset', {}, h('legend', { class: 'unseen' }, t.checkFilter), this.#counts),
        h('button', { type: 'button', class: 'button', onclick: () => this.#download() }, icon('down'), t.checkDownload),
      ),
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

  add(found: readonly (Resolved | null)[]): void {
    const from = this.#results.length
    this.#results.push(...found)
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
    return this.#only === '' || (one?.status ?? 'invalid') === this.#only
  }

  #redraw(): void {
    const rows = this.#results.map((one, at) => ({ one, at })).filter(({ one }) => this.#isWanted(one))
    replace(
      this.#body,
      rows.slice(0, this.#shownMax).map(({ one, at }) => this.#row(one, at)),
    )
    this.#drawMore()
  }

  #drawMore(): void {
    const all = this.#results.filter(one => this.#isWanted(one)).length
    const isCut = all > this.#shownMax
    replace(
      this.#more,
      isCut && [
        h('p', { class: 'hint' }, t.shownOf(this.#shownMax, all)),
        button(t.more, () => {
          this.#shownMax += 500
          this.#redraw()
        }),
      ],
    )
  }

  #drawCounts(): void {
    const counts = new Map<string, number>()
    for (const one of this.#results) counts.set(one?.status ?? 'invalid', (counts.get(one?.status ?? 'invalid') ?? 0) + 1)
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
          },
        }),
        h('span', {}, text, ' ', h('b', {}, count)),
      )
    const focused = document.activeElement instanceof HTMLInputElement && this.#counts.contains(document.activeElement)
    replace(
      this.#counts,
      choice('', t.checkAll, this.#results.length),
      STATUSES.filter(one => counts.has(one)).map(one => choice(one, t.status[one], counts.get(one) ?? 0)),
    )
    if (focused) this.#counts.querySelector<HTMLInputElement>('input:checked')?.focus()
  }

  #row(one: Resolved | null, at: number): HTMLElement {
    const input = this.#pasted.rows[at]?.[this.#pasted.column]?.trim() ?? ''
    const status = one?.status ?? 'invalid'
    const cell = (label: string, ...children: Child[]) => h('td', { 'data-label': label }, children)
    return h(
      'tr',
      { 'data-status': status },
      cell(t.thInput, h('bdi', { class: 'given', dir: 'ltr' }, input)),
      cell(t.thStatus, h('span', { class: `status status-${status}` }, t.status[status] ?? status)),
      cell(t.thCode, one?.hs_code && codeLink(one.hs_code)),
      cell(t.thWords, one ? this.#said(one) : t.reasonDigits),
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

  /** The rows as they were pasted, with what was found behind them. */
  csv(): string {
    const { header, rows } = this.#pasted
    const width = Math.max(1, ...rows.map(row => row.length))
    const padded = (row: readonly string[]) => Array.from({ length: width }, (_, at) => asCell(row[at]?.trim() ?? ''))
    const names = header ?? (width === 1 ? ['input'] : Array.from({ length: width }, (_, at) => `column_${at + 1}`))
    const lines = this.#results.map((one, at) =>
      csvCells([
        ...padded(rows[at] ?? []),
        one?.status ?? 'invalid',
        one?.hs_code ?? '',
        one?.record?.description.en ?? '',
        one?.record?.description.ar ?? '',
        one?.record ? String(one.record.tariff_rate) : '',
        one ? String(one.lines) : '',
        one ? (one.candidates.length > 0 ? one.candidates : [one.nearest ?? '']).join(' ').trim() : '',
      ]),
    )
    return `${[csvCells([...padded(names), ...ADDED]), ...lines].join('\r\n')}\r\n`
  }

  /** With a mark at the front: without it Excel reads Arabic as something else. */
  #download(): void {
    const url = URL.createObjectURL(new Blob(['\ufeff', this.csv()], { type: 'text/csv;charset=utf-8' }))
    const link = h('a', { href: url, download: 'hs-codes-checked.csv' })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
}
