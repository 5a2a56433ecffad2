/** Randomly chosen rows, to be read by people: the same seed gives the same rows of the same dataset. */

import { chapterOf } from '../../src/codes/levels.js'
import { type RandomSource, seededRandom } from '../../src/random.js'
import { parentsOf } from '../dataset/parents.js'
import type { Row } from '../dataset/rows.js'

export interface SampleOptions {
  seed: number
  count: number
  /** First and last chapter, two digits each. Default: all. */
  chapters?: readonly [first: string, last: string]
}

export interface SampledRow {
  row: Row
  /** From the chapter down to the parent. */
  above: Row[]
  /** The other children of the row's parent. */
  beside: Row[]
}

/** Headings, subheadings and lines, drawn in proportion to their numbers. */
const STRATA: readonly ((digits: number) => boolean)[] = [digits => digits === 4, digits => digits === 6, digits => digits > 6]

function draw(rows: readonly Row[], count: number, random: RandomSource): Row[] {
  const left = [...rows]
  for (let i = 0; i < count; i++) {
    const other = i + Math.floor(random() * (left.length - i))
    ;[left[i], left[other]] = [left[other], left[i]]
  }
  return left.slice(0, count)
}

/** Splits `count` in proportion to the sizes (largest remainder method). */
function shares(sizes: readonly number[], count: number): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const wanted = Math.min(count, total)
  const exact = sizes.map(size => (total === 0 ? 0 : (wanted * size) / total))
  const whole = exact.map(Math.floor)
  const byRemainder = exact.map((share, i) => ({ i, rest: share - Math.floor(share) })).sort((a, b) => b.rest - a.rest)
  const missing = wanted - whole.reduce((sum, share) => sum + share, 0)
  for (const { i } of byRemainder.slice(0, missing)) whole[i] = whole[i] + 1
  return whole
}

const byCode = (a: Row, b: Row) => (a.hs_code < b.hs_code ? -1 : 1)

export function sampleRows(rows: readonly Row[], { seed, count, chapters }: SampleOptions): SampledRow[] {
  const parents = parentsOf(rows)
  const [first, last] = chapters ?? ['00', '99']
  const isDrawn = (row: Row) => {
    const chapter = chapterOf(row.hs_code)
    const parent = parents.get(row.hs_code)
    // skip a row with the same words as its parent, such as an 8-digit line
    const repeats = parent?.description_en === row.description_en && parent.description_ar === row.description_ar
    return chapter >= first && chapter <= last && !repeats
  }
  // sorted, so that the sample does not depend on the order of the files
  const drawable = rows.filter(isDrawn).sort(byCode)
  const strata = STRATA.map(holds => drawable.filter(({ hs_code }) => holds(hs_code.length)))
  const random = seededRandom(seed)
  const counts = shares(
    strata.map(({ length }) => length),
    count,
  )
  const drawn = strata.flatMap((stratum, i) => draw(stratum, counts[i], random))
  const children = new Map<string, Row[]>()
  for (const row of rows) {
    const parent = parents.get(row.hs_code)?.hs_code ?? ''
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [row])
    else siblings.push(row)
  }
  return drawn.sort(byCode).map(row => {
    const above: Row[] = []
    for (let up = parents.get(row.hs_code); up !== undefined; up = parents.get(up.hs_code)) above.unshift(up)
    const siblings = children.get(parents.get(row.hs_code)?.hs_code ?? '') ?? []
    return { row, above, beside: siblings.filter(other => other !== row) }
  })
}

/** One sampled row as text, with the codes above it and its siblings. */
export function printSample({ row, above, beside }: SampledRow): string {
  const line = (mark: string, { hs_code, description_en, description_ar }: Row) =>
    `  ${mark} ${hs_code.padEnd(12)} ${description_en} | ${description_ar}`
  return [
    `${row.hs_code}  ${row.file}:${row.line}${row.tariff_rate === '' ? '' : `  ${row.tariff_rate} %`}`,
    `  en ${row.description_en}`,
    `  ar ${row.description_ar}`,
    ...(row.keywords_en === '' ? [] : [`  keywords ${row.keywords_en}`]),
    ...(row.keywords_ar === '' ? [] : [`  keywords ${row.keywords_ar}`]),
    ...above.map(other => line('above ', other)),
    ...beside.map(other => line('beside', other)),
  ].join('\n')
}
