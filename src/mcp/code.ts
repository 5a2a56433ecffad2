/** Everything about one code: what it is, the codes above and below it, its duty, and its notes. */

import { controlsOf } from '../answers/controls.js'
import { rateOriginOf } from '../answers/rate-origin.js'
import { unitOf } from '../answers/records.js'
import type { Control } from '../answers/shapes.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { chapterOf } from '../codes/levels.js'
import { AGENT_CHILDREN_DEFAULT } from '../limits.js'
import { childrenOf } from '../questions/children.js'
import { readCountry } from '../questions/country.js'
import { Refusal } from '../questions/refusal.js'
import { cautions, INDICATIVE } from '../questions/tariff.js'
import { WARNINGS } from '../warnings.js'
import {
  type Answer,
  answer,
  type CodeFields,
  codeFields,
  line,
  refused,
  short,
  type Worded,
  type Wording,
  worded,
} from './answer.js'
import { readWritten, type WrittenCode } from './codes.js'
import { noteLine, seeAlsoFields, seeAlsoLine, touchingNotes } from './notes.js'

const ABOVE_CHARS = 120
const REASON_CHARS = 160
const CONTROLS_MAX = 5

interface CodeQuestion extends Worded {
  code: WrittenCode
  children_limit?: number
  country?: string
}

export function showCode(catalog: Catalog, question: CodeQuestion): Answer {
  const { code, children_limit = AGENT_CHILDREN_DEFAULT, language = 'en', country } = question
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  const record = readWritten(catalog, code)
  if (record instanceof Refusal) return refused(record)
  const shown = codeFields(catalog, record, language)
  const path = pathOf(catalog, record).map(at => codeFields(catalog, at, language, ABOVE_CHARS))
  const below = belowOf(catalog, record, children_limit, language, view)
  const duty = dutyOf(catalog, record, view, language)
  const unit = unitOf(catalog, record)
  const controls = controlsOf(catalog, record, view?.country.code)
  const controlFields = controls.items.slice(0, CONTROLS_MAX).map(control => shortControl(control, language))
  const notes = touchingNotes(catalog, record, language)
  const seeAlso = seeAlsoFields(catalog, record, language)
  const lines = [
    line(shown),
    ...path.map(step => `in ${line(step)}`),
    ...duty.warnings,
    `duty ${duty.percent} %, set for ${duty.from}${duty.source === null ? '' : ` (${duty.certainty}: ${duty.source})`}`,
    INDICATIVE,
    ...(unit === null ? [] : [`quantity in ${unit.code} (${worded(unit.name, language)}), ${unit.certainty}`]),
    ...controlFields.map(controlLine),
    ...(controlFields.length === 0 ? [] : [worded(controls.note, language)]),
    ...notes.items.map(noteLine),
    ...moreNotes(catalog, record, notes),
    ...seeAlso.items.map(seeAlsoLine),
    below.sentence,
    ...below.children.map(childLine),
    ...(below.total > below.children.length ? [`Shown: ${below.children.length} of ${below.total} codes below.`] : []),
  ]
  return answer(lines, {
    ...shown,
    is_active: catalog.active[record] === 1,
    declarable: catalog.level[record] === catalog.lines.longest,
    ...(below.line !== undefined && { line: below.line }),
    path,
    duty,
    unit: unit && { code: unit.code, name: worded(unit.name, language), certainty: unit.certainty },
    controls: controlFields,
    controls_total: controls.items.length,
    notes: notes.items,
    notes_total: notes.total,
    see_also: seeAlso.items,
    see_also_total: seeAlso.total,
    children: below.children,
    children_total: below.total,
    lines_total: catalog.lines.countBelow(record),
  })
}

/** Names the resource that contains the remaining notes. */
function moreNotes({ records }: Catalog, record: number, { items, total }: { items: unknown[]; total: number }): string[] {
  if (total <= items.length) return []
  const chapter = chapterOf(records.code(record))
  return [`Shown: ${items.length} of ${total} notes; the resource hsapi://notes/${chapter} has all notes of the chapter.`]
}

const isRepeated = ({ records }: Catalog, record: number, below: number): boolean =>
  records.description(record).en === records.description(below).en

/** The codes above, from the chapter down. Leaves out a code if the code below it has the same description. */
function pathOf(catalog: Catalog, record: number): number[] {
  const steps = catalog.above(record)
  return steps.filter((at, i) => !isRepeated(catalog, at, i === 0 ? record : steps[i - 1])).reverse()
}

interface ChildFields extends CodeFields {
  /** Set only if it differs from the duty of the code above. */
  duty_percent?: string
  /** The line under which goods of this code are declared, if there is only one. */
  line?: string
}

interface Below {
  children: ChildFields[]
  total: number
  /** The only line below, or the code itself. */
  line?: string | undefined
  sentence: string
}

function belowOf(catalog: Catalog, record: number, limit: number, language: Wording, view: CountryView | undefined): Below {
  const { childCount, firstChild, records, lines } = catalog
  const soleLine = onlyLine(catalog, record)
  if (soleLine === record)
    return { children: [], total: 0, line: records.code(record), sentence: 'Goods are declared on this line.' }
  if (soleLine !== undefined) {
    const code = records.code(soleLine)
    return { children: [], total: 0, line: code, sentence: `Goods are declared on ${code}, the only line below.` }
  }
  let parent = record
  while (childCount[parent] === 1 && isRepeated(catalog, parent, firstChild[parent])) parent = firstChild[parent]
  const { first, count, total } = childrenOf(catalog, parent, limit)
  const rate = (view ?? catalog).rateText(record)
  const children = Array.from({ length: count }, (_, i): ChildFields => {
    const child = first + i
    const childRate = (view ?? catalog).rateText(child)
    const declared = onlyLine(catalog, child)
    return {
      // in full, because siblings often differ in their last words
      ...codeFields(catalog, child, language),
      ...(childRate !== rate && { duty_percent: childRate }),
      ...(declared !== undefined && { line: records.code(declared) }),
    }
  })
  const sentence =
    total === 0
      ? 'No codes are below it.'
      : `Below it: ${total} codes, ${lines.countBelow(record)} lines of ${lines.longest} digits. Take the one whose words fit; if several fit, compare_hs_codes shows how they differ.`
  return { children, total, sentence }
}

/** The only line of full length at or below a record; undefined if there are several lines. */
function onlyLine({ lines }: Catalog, record: number): number | undefined {
  if (lines.longest === 0) return undefined
  const { first, end } = lines.below(record, lines.longest)
  return end - first === 1 ? lines.order[first] : undefined
}

function childLine({ duty_percent, line: declared, ...code }: ChildFields): string {
  const facts = [
    ...(duty_percent === undefined ? [] : [`duty ${duty_percent} %`]),
    ...(declared === undefined || declared === code.hs_code ? [] : [`line ${declared}`]),
  ]
  return `${line(code)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** The duty rate of the common tariff or, with a view, of a country. */
function dutyOf(catalog: Catalog, record: number, view: CountryView | undefined, language: Wording) {
  const { from, source, certainty, min, max, status, list } = rateOriginOf(catalog, record, view)
  const percent = (view ?? catalog).rateText(record)
  const note = catalog.estimateNoteOf(record)
  if (view === undefined) return { percent, from, source, certainty, warnings: cautions(note) }
  const { code: country, meta } = view.country
  const warnings = [
    ...(status === 'prohibited' ? [worded(WARNINGS.prohibited.text(meta), language)] : []),
    ...cautions({ isActive: note.isActive, low: String(min), high: String(max), isProhibited: false }),
  ]
  return { percent, from, source, certainty, country, list: list ?? null, status, warnings }
}

function shortControl({ scope, kind, authority, reason, certainty }: Control, language: Wording) {
  return { scope, kind, authority, reason: short(worded(reason, language), REASON_CHARS), certainty }
}

function controlLine({ scope, kind, authority, reason, certainty }: ReturnType<typeof shortControl>): string {
  return `control in ${scope}: ${kind}${authority === null ? '' : `, ${authority}`}, ${certainty}: ${reason}`
}
