/** Two to four codes side by side; the address has them. */

import type { Note } from '../../../answers/shapes.js'
import { digitsOf } from '../../../codes/digits.js'
import { type Route, toCode, toCompare } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask, type Code } from '../data/api.js'
import { facts, longestLine } from '../data/facts.js'
import { COMPARED_MAX, compared } from '../data/kept-codes.js'
import { withoutPadded } from '../data/padded.js'
import { query } from '../data/query.js'
import { type Child, fill, fillText, h, icon, replace } from '../dom/dom.js'
import { starButton } from '../dom/keep-buttons.js'
import { KeptLists } from '../dom/kept-lists.js'
import { badge, code, codeLink, inLang, levelName, levelOf, ourWords } from '../dom/parts.js'
import { Slot, skeleton } from '../dom/slot.js'
import { missingCode } from '../dom/states.js'
import { lang, t } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { differingWords } from '../text/differing-words.js'
import type { Range } from '../text/tell-apart.js'
import { compareStrings } from './compare-strings.js'
import { controlItem, unitHint, unitName } from './controls.js'
import { noteGroups } from './notes.js'

type CompareRoute = Extract<Route, { page: 'compare' }>

const INCLUDE = 'path,rate,unit,notes,controls,examples,lines'
const s = compareStrings[lang]

const codesIn = (list: string) => [...new Set(list.split(',').map(digitsOf))].filter(one => one !== '')

/** A column: the record, or why there is none. */
type Column = { asked: string; answer: Answer<Code> }

async function askAll(codes: readonly string[], signal: AbortSignal): Promise<Answer<Column[]>> {
  await facts()
  const columns = await Promise.all(
    codes.map(async asked => ({
      asked,
      answer: await ask<Code>(query(`hs-codes/${asked}`, { include: INCLUDE }), { signal }),
    })),
  )
  // what every column would say is said once
  const [first] = columns
  const trouble = columns.find(({ answer }) => answer.kind !== 'ok' && answer.kind !== 'missing')?.answer
  if (trouble !== undefined && trouble.kind !== 'ok') return trouble
  const meta = first?.answer.kind === 'ok' ? first.answer.meta : { total: 0, count: 0 }
  return { kind: 'ok', data: columns, meta, text: '' }
}

export function compareView(page: Page, first: CompareRoute): View {
  const place = h('div', { class: 'compare-place' })
  const slot = new Slot(place)
  const kept = new KeptLists()
  const head = h('div', { class: 'page-head' }, h('h1', {}, t.compareTitle), h('p', { class: 'hint' }, s.text))
  const tools = h('div', { class: 'compare-tools' })
  let codes: readonly string[] = []
  const goTo = (list: readonly string[]) => page.go(toCompare(list))

  const show = (route: CompareRoute) => {
    const named = codesIn(route.codes)
    codes = named.slice(0, COMPARED_MAX)
    slot.stop()
    replace(
      tools,
      codes.length < COMPARED_MAX && addForm(() => codes, goTo),
      named.length > COMPARED_MAX && h('p', { class: 'warning' }, s.tooMany),
    )
    kept.leave()
    if (codes.length === 0) {
      kept.start()
      return replace(place, h('p', {}, s.none), kept.element)
    }
    slot.load<Column[]>({
      ask: signal => askAll(codes, signal),
      waiting: () => skeleton(8),
      show: columns => {
        const found = columns.flatMap(({ answer }) => (answer.kind === 'ok' ? [answer.data] : []))
        compared.set(found.map(({ hs_code, description }) => ({ hs_code, description })))
        replace(place, missing(columns), found.length === 1 && h('p', { class: 'hint' }, s.more), draw(found, goTo))
      },
    })
  }

  replace(page.main, h('div', { class: 'compare' }, head, tools, place))
  show(first)
  return {
    title: t.compareTitle,
    update: route => {
      if (route.page !== 'compare') return false
      show(route)
      return true
    },
    leave: () => {
      slot.stop()
      kept.leave()
    },
  }
}

function addForm(codes: () => readonly string[], go: (list: readonly string[]) => void): HTMLElement {
  const input = h('input', {
    type: 'text',
    id: 'compare-code',
    inputmode: 'numeric',
    dir: 'ltr',
    autocomplete: 'off',
    maxlength: 30,
  })
  const complaint = h('p', { class: 'complaint', role: 'alert' })
  const submit = (event: Event) => {
    event.preventDefault()
    const digits = digitsOf(input.value)
    const problem = digits === '' ? s.addBad : codes().includes(digits) ? s.addTwice : ''
    replace(complaint, problem)
    if (problem === '') go([...codes(), digits])
  }
  return h(
    'form',
    { class: 'compare-add', onsubmit: submit },
    h(
      'div',
      { class: 'row' },
      h('div', { class: 'field' }, h('label', { for: 'compare-code' }, s.add), input),
      h('button', { type: 'submit', class: 'button' }, s.addGo),
    ),
    complaint,
  )
}

function missing(columns: readonly Column[]): Child {
  return columns.map(({ asked, answer }) =>
    answer.kind === 'missing' ? missingCode(asked, answer.nearest, answer.movedTo) : null,
  )
}

/** A title over the whole width, and below it a cell for each code. `same` where one cell says it for all. */
function row(name: string, title: Child, cells: readonly Child[], isSame = false): HTMLElement[] {
  return [
    h(
      'tr',
      { class: 'compare-title' },
      h(
        'th',
        { scope: 'rowgroup', colspan: cells.length },
        h('span', {}, title, isSame && h('span', { class: 'hint' }, ` · ${s.same}`)),
      ),
    ),
    h(
      'tr',
      { class: `compare-${name}` },
      cells.map(cell => h('td', {}, cell)),
    ),
  ]
}

const areSame = (values: readonly unknown[]) =>
  values.length > 1 && new Set(values.map(value => JSON.stringify(value ?? null))).size === 1

function draw(found: readonly Code[], go: (list: readonly string[]) => void): Child {
  if (found.length === 0) return null
  const codes = found.map(({ hs_code }) => hs_code)
  const country = found[0]?.rate?.country ?? ''
  const tongues = lang === 'ar' ? (['ar', 'en'] as const) : (['en', 'ar'] as const)
  const rateTitle = country === '' ? s.rate : fillText(s.rateIn, { country: t.countries[country] ?? '' })
  const groups = [
    ...tongues.map(which => row(`words-${which}`, which === 'ar' ? t.inArabic : t.inEnglish, wordCells(found, which))),
    row('path', s.path, pathCells(found)),
    row(
      'rate',
      rateTitle,
      found.map(rateCell),
      areSame(found.map(({ tariff_rate, rate }) => [tariff_rate, rate?.min, rate?.max, rate?.status])),
    ),
    row('lines', fillText(s.lines, { digits: longestLine() }), found.map(linesCell)),
    row(
      'unit',
      t.unitTitle,
      found.map(one => [unitName(one) ?? h('span', { class: 'hint' }, t.unitDiffers), ' ', unitHint(one)]),
      areSame(found.map(({ unit }) => unit?.code)),
    ),
    row('controls', t.controlsTitle, found.map(controlCell), areSame(found.map(({ controls }) => controls?.items))),
    ...notesRows(found),
    row('names', s.names, found.map(namesCell)),
  ]
  const table = h(
    'table',
    { class: 'compare-table' },
    h('caption', { class: 'unseen' }, t.compareTitle),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        found.map(one => headCell(one, codes, go)),
      ),
    ),
    groups.map(rows => h('tbody', {}, rows)),
  )
  const note = found.find(({ controls }) => controls !== undefined)?.controls?.note
  return [
    h('div', { class: 'compare-scroll', role: 'region', 'aria-label': s.scrolls, tabindex: 0 }, table),
    note !== undefined && h('p', { class: 'hint' }, ourWords(note)),
  ]
}

function headCell(one: Code, codes: readonly string[], go: (list: readonly string[]) => void): HTMLElement {
  const { hs_code } = one
  return h(
    'th',
    { scope: 'col' },
    h(
      'div',
      { class: 'compare-head' },
      h('a', { href: toCode(hs_code) }, code(hs_code)),
      h('span', { class: 'level' }, levelName(levelOf(one))),
      h(
        'button',
        {
          type: 'button',
          class: 'quiet square',
          'aria-label': fillText(s.remove, { code: hs_code }),
          onclick: () => {
            compared.remove(hs_code)
            go(codes.filter(other => other !== hs_code))
          },
        },
        icon('close'),
      ),
    ),
    starButton(one),
  )
}

/** What differs in <mark>, the rest as it is. */
function marked(text: string, ranges: readonly Range[]): Child[] {
  const pieces: Child[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(text.slice(from, start), h('mark', {}, text.slice(start, end)))
    from = end
  }
  return [...pieces, text.slice(from)]
}

function wordCells(found: readonly Code[], which: 'en' | 'ar'): Child[] {
  const texts = found.map(({ description }) => description[which])
  const ranges = differingWords(texts)
  return found.map(({ description }, at) =>
    description[which] === ''
      ? h('span', { class: 'hint' }, t.noWords)
      : inLang(description, which, marked(description[which], ranges[at] ?? [])),
  )
}

/** Steps that not all of them have stand out. */
function pathCells(found: readonly Code[]): Child[] {
  const paths = found.map(({ path = [] }) => withoutPadded(path))
  const isShared = (step: string) => paths.every(path => path.some(({ hs_code }) => hs_code === step))
  return paths.map(path =>
    h(
      'ol',
      { class: 'steps-down' },
      path.map(({ hs_code, description }) =>
        h('li', { class: isShared(hs_code) ? 'shared' : null }, codeLink(hs_code), ' ', ourWords(description)),
      ),
    ),
  )
}

function rateCell({ hs_code, tariff_rate, rate }: Code): Child {
  const certainty = rate?.certainty ?? ''
  return [
    h('p', {}, badge(tariff_rate, rate)),
    h('p', { class: 'hint' }, t.certainty[certainty] ?? ''),
    rate !== undefined && rate.from !== hs_code && h('p', { class: 'hint' }, fill(s.rateFrom, { code: codeLink(rate.from) })),
  ]
}

function linesCell(one: Code): Child {
  if (levelOf(one) >= longestLine()) return s.declared
  const { items = [], total = 0 } = one.lines ?? {}
  const [only] = items
  return total === 1 && only ? codeLink(only.hs_code) : h('a', { href: toCode(one.hs_code) }, t.chooseLine(total))
}

function controlCell({ controls }: Code): Child {
  const items = controls?.items ?? []
  return items.length === 0
    ? h('span', { class: 'hint' }, t.controlsNone)
    : h('ul', { class: 'controls' }, items.map(controlItem))
}

const keyOf = ({ number, text }: Note) => number + text.en

/** Codes of one chapter share most of their notes: those are listed once. */
function notesRows(found: readonly Code[]): HTMLElement[][] {
  const lists = found.map(({ notes }) => notes?.items ?? [])
  const isShared = (note: Note) => lists.length > 1 && lists.every(list => list.some(one => keyOf(one) === keyOf(note)))
  const shared = (lists[0] ?? []).filter(isShared)
  const own = row(
    'notes',
    s.notes,
    lists.map(list => {
      const rest = list.filter(note => !isShared(note))
      return rest.length === 0 ? h('span', { class: 'hint' }, s.noNotes) : h('div', { class: 'notes-place' }, noteGroups(rest))
    }),
  )
  if (shared.length === 0) return [own]
  const cell = h('td', { colspan: found.length }, h('div', { class: 'notes-place' }, noteGroups(shared)))
  const [title] = row(
    'shared-notes',
    s.sharedNotes,
    found.map(() => null),
  )
  return [own, [title as HTMLElement, h('tr', { class: 'compare-shared-notes' }, cell)]]
}

function namesCell({ examples }: Code): Child {
  const names = examples?.[lang] ?? []
  return names.length === 0 ? h('span', { class: 'hint' }, s.noNames) : names.join(lang === 'ar' ? '، ' : ', ')
}
