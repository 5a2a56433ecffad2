/** One row of what was checked: its words and code as given, what became of it, and codes that fit its words better. */
import type { Candidate } from '../../../answers/shapes.js'
import { toClassify, toCode } from '../data/address.js'
import type { Resolved } from '../data/api.js'
import type { Accepted, Compared } from '../data/kept-work.js'
import { type Child, fill, fillText, h, isolated } from '../dom/dom.js'
import { badge, code, codeLink, ourWords } from '../dom/parts.js'
import { button } from '../dom/states.js'
import { lang, t } from '../shared/language.js'
import { repairStrings } from './check-strings.js'

const s = repairStrings[lang]

const CANDIDATES_MAX = 4
/** The code is one, whatever its words say. */
const PLAIN = ['found', 'normalised', 'moved']

export type AcceptedCode = Accepted extends ReadonlyMap<number, infer Code> ? Code : never

export interface Row {
  /** The cells with the code and with the words. */
  given: string
  words: string
  /** Null for a blank cell. */
  found: Resolved | null
  compared: Compared | null
  accepted: AcceptedCode | undefined
}

/** 'blank' for a row without a code; 'corrected', 'contradicts' and 'doubtful' come from the words. */
export function statusOf({ found, compared, accepted }: Row): string {
  if (accepted) return 'corrected'
  const status = found?.status ?? 'blank'
  if (compared === null || !PLAIN.includes(status)) return status
  const isBetter = compared.candidates.length > 0 && compared.verdict !== 'agrees'
  return isBetter ? (compared.verdict ?? status) : status
}

/** What is proposed for it. */
const proposals = ({ compared, accepted }: Row) => (accepted ? [] : (compared?.candidates ?? []))

/** The code that can be accepted without a look. */
export function clearCode(row: Row): Candidate | undefined {
  return row.compared?.status === 'clear' ? proposals(row)[0] : undefined
}

export interface RowActions {
  accept: (candidate: Candidate) => void
  undo: () => void
}

export function drawRow(row: Row, actions: RowActions): HTMLElement {
  const { given, words, found, compared, accepted } = row
  const status = statusOf(row)
  const hsCode = accepted?.hs_code ?? found?.hs_code
  const rate = accepted ? accepted.tariff_rate : found?.record?.tariff_rate
  const cell = (label: string, ...children: Child[]) => h('td', { 'data-label': label }, children)
  return h(
    'tr',
    { 'data-status': status },
    cell(
      t.thInput,
      h('bdi', { class: 'given', dir: 'ltr' }, given),
      words !== '' && h('span', { class: 'given-words' }, isolated(words)),
    ),
    cell(
      t.thStatus,
      h('span', { class: `status status-${status}` }, s.status[status] ?? t.status[status] ?? status),
      !accepted && compared?.verdict === 'agrees' && h('span', { class: 'hint agrees' }, s.agrees),
    ),
    cell(t.thCode, hsCode && codeLink(hsCode)),
    cell(t.thWords, accepted ? corrected(row, accepted, actions) : found && said(found), proposed(row, actions)),
    cell(t.thRate, rate !== undefined && rate !== null && badge(rate)),
  )
}

function corrected({ given }: Row, { description }: AcceptedCode, { undo }: RowActions): Child {
  const was = given === '' ? s.wasBlank : fill(s.was, { code: h('bdi', { dir: 'ltr' }, given) })
  return [
    ourWords(description),
    h('p', { class: 'corrected-from' }, h('span', { class: 'hint' }, was), button(s.undo, undo, { class: 'button undo' })),
  ]
}

function proposed(row: Row, { accept }: RowActions): Child {
  const { compared, words, found } = row
  const list = proposals(row)
  const isOpen = !row.accepted && compared !== null && !PLAIN.includes(found?.status ?? '')
  if (list.length === 0 && !isOpen) return null
  return h(
    'div',
    { class: 'proposals' },
    h('p', { class: 'hint' }, list.length > 0 ? s.wordsSay : s.nothing),
    list.length > 0 &&
      h(
        'ul',
        {},
        list.map(one =>
          h(
            'li',
            {},
            h('span', { class: 'proposal' }, codeLink(one.hs_code), ' ', badge(one.tariff_rate), ' ', ourWords(one.description)),
            button(s.accept, () => accept(one), {
              class: 'button accept',
              'aria-label': fillText(s.acceptCode, { code: one.hs_code }),
            }),
          ),
        ),
      ),
    compared?.status !== 'clear' && h('a', { href: toClassify(words) }, s.guided),
  )
}

function said(one: Resolved): Child {
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
