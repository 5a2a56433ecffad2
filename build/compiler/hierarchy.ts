/** Turns checked rows into records in catalog order, and adds padded lines. */
import { padded } from '../../src/codes/levels.js'
import type { Manifest } from '../dataset/manifest.js'
import type { Row } from '../dataset/rows.js'

export interface BuildRecord {
  code: string
  en: string
  ar: string
  /** Percent, in shortest decimal form. */
  rate: string
  /** Number of leading digits that form the code that sets the rate. */
  rateDigits: number
  /** The lowest and the highest rate of the lines at or below this record. */
  low: string
  high: string
  active: boolean
  keywordsEn: string[]
  keywordsAr: string[]
  /** Position of the parent, -1 without one. */
  parent: number
  /** Position of the record whose words this one repeats: the record itself, unless it was added by padding. */
  source: number
  /** The children are adjacent, starting at this position. */
  firstChild: number
  childCount: number
}

interface Node {
  code: string
  row: Row
  rate: string
  rateDigits: number
  padded: boolean
  children: Node[]
}

function keywords(text: string): string[] {
  return text
    .split(';')
    .map(word => word.trim())
    .filter(word => word !== '')
}

/** "5.50" → "5.5", "05" → "5" */
function shortestRate(text: string): string {
  return String(Number(text))
}

function forest(rows: Row[]): Node[] {
  const sorted = [...rows].sort((a, b) => (a.hs_code < b.hs_code ? -1 : 1))
  const roots: Node[] = []
  const open: Node[] = []
  for (const row of sorted) {
    // in code order, the ancestors of a code are the latest codes that it starts with
    while (open.length > 0 && !row.hs_code.startsWith(open[open.length - 1].code)) open.pop()
    const parent = open[open.length - 1]
    const rate = row.tariff_rate === '' ? (parent?.rate as string) : shortestRate(row.tariff_rate)
    const rateDigits = row.tariff_rate === '' ? (parent?.rateDigits as number) : row.hs_code.length
    const node: Node = { code: row.hs_code, row, rate, rateDigits, padded: false, children: [] }
    ;(parent?.children ?? roots).push(node)
    open.push(node)
  }
  return roots
}

/** Adds padded lines: a code without subdivisions also exists at the lengths of the lines under which goods are declared. */
function pad(node: Node, lineDigits: number[]): void {
  if (node.children.length > 0) {
    for (const child of node.children) pad(child, lineDigits)
    return
  }
  let end = node
  for (const digits of lineDigits) {
    if (digits <= end.code.length) continue
    const line: Node = { ...end, code: padded(end.code, digits), padded: true, children: [] }
    end.children.push(line)
    end = line
  }
}

/** Level by level, so that the children of a code and their rendered bytes are adjacent. */
export function buildRecords(rows: Row[], manifest: Manifest): BuildRecord[] {
  const roots = forest(rows)
  for (const root of roots) pad(root, manifest.line_digits)
  const queue: { node: Node; parent: number; source: number }[] = roots.map(node => ({
    node,
    parent: -1,
    source: -1,
  }))
  const records: BuildRecord[] = []
  for (let i = 0; i < queue.length; i++) {
    const { node, parent, source } = queue[i]
    const own = node.padded ? source : i
    records.push({
      code: node.code,
      en: node.row.description_en,
      ar: node.row.description_ar,
      rate: node.rate,
      rateDigits: node.rateDigits,
      low: node.rate,
      high: node.rate,
      active: node.row.is_active !== 'false',
      keywordsEn: node.padded ? [] : keywords(node.row.keywords_en),
      keywordsAr: node.padded ? [] : keywords(node.row.keywords_ar),
      parent,
      source: own,
      firstChild: queue.length,
      childCount: node.children.length,
    })
    for (const child of node.children) queue.push({ node: child, parent: i, source: own })
  }
  spreadRates(records)
  return records
}

/** Goes backwards, because a code comes before the codes below it. */
function spreadRates(records: BuildRecord[]): void {
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i]
    for (let n = 0; n < record.childCount; n++) {
      const { low, high } = records[record.firstChild + n]
      if (n === 0 || Number(low) < Number(record.low)) record.low = low
      if (n === 0 || Number(high) > Number(record.high)) record.high = high
    }
  }
}
