/** Finds the rate of every record in each list of a country, from the country's rules. */
import type { RateRow } from '../dataset/countries/rates.js'
import { type CommonTariff, type LineRuns, longestPrefixValues } from './code-runs.js'

/** One entry per record. Rates are indices into the table of `rateIndex`; rules are counted from 1. */
export interface ListRates {
  rate: Uint8Array
  low: Uint8Array
  high: Uint8Array
  rule: Uint16Array
}

export interface RateTable {
  /** Percent. */
  rates: readonly string[]
  indexOf(rate: string): number
}

export function rateTable(rates: readonly string[]): RateTable {
  const places = new Map(rates.map((rate, i) => [rate, i]))
  return { rates, indexOf: rate => places.get(rate) as number }
}

interface LineRates {
  rate: Uint16Array
  /** 0 if no rule applies: the line has the common rate. */
  rule: Int32Array
  /** Whether goods are allowed at a known rate. */
  isKnown: Uint8Array
}

/** A line has the rate of its rule, or the common rate if the rule gives none. `rules` are all rules of the country. */
function ratesOfLines(
  list: string,
  rules: readonly RateRow[],
  common: CommonTariff,
  lines: LineRuns,
  table: RateTable,
): LineRates {
  const own = rules.flatMap(({ list: of, prefix }, i) => (of === list ? [{ prefix, value: i + 1 }] : []))
  const rule = longestPrefixValues(lines, own).map(value => Math.max(value, 0))
  const rate = new Uint16Array(rule.length)
  const isKnown = new Uint8Array(rule.length)
  rule.forEach((place, i) => {
    const row = rules[place - 1]
    const hasRate = row !== undefined && row.status === 'allowed'
    rate[i] = hasRate ? table.indexOf(row.rate) : common.rate[lines.records[i]]
    isKnown[i] = hasRate || row === undefined ? 1 : 0
  })
  return { rate, rule, isKnown }
}

export function ratesOfList(
  list: string,
  rules: readonly RateRow[],
  common: CommonTariff,
  lines: LineRuns,
  table: RateTable,
): ListRates {
  const ofLines = ratesOfLines(list, rules, common, lines, table)
  const percent = table.rates.map(Number)
  const found: ListRates = {
    rate: Uint8Array.from(common.rate),
    low: Uint8Array.from(common.low),
    high: Uint8Array.from(common.high),
    rule: new Uint16Array(common.codes.length),
  }
  lines.below.forEach(({ first, end }, record) => {
    // if all lines below a code have the common rate, so does the code
    if (isCommon(ofLines.rule, first, end)) return
    // handled separately to save time: most codes are a line or have only one line below them
    if (end - first === 1) {
      found.rate[record] = ofLines.rate[first]
      found.low[record] = ofLines.rate[first]
      found.high[record] = ofLines.rate[first]
      found.rule[record] = ofLines.rule[first]
      return
    }
    const known = positions(first, end, i => ofLines.isKnown[i] === 1)
    const counted = known.length > 0 ? known : positions(first, end, () => true)
    const rate = mostFrequent(
      counted.map(i => ofLines.rate[i]),
      (a, b) => percent[a] - percent[b],
    )
    const ordered = [...new Set(counted.map(i => ofLines.rate[i]))].sort((a, b) => percent[a] - percent[b])
    found.rate[record] = rate
    found.low[record] = ordered[0]
    found.high[record] = ordered.at(-1) as number
    found.rule[record] = mostFrequent(counted.filter(i => ofLines.rate[i] === rate).map(i => ofLines.rule[i]))
  })
  return found
}

/** A loop, because views of thousands of runs would keep the garbage collector busy. */
function isCommon(rule: Int32Array, first: number, end: number): boolean {
  for (let i = first; i < end; i++) if (rule[i] > 0) return false
  return true
}

function positions(first: number, end: number, isCounted: (i: number) => boolean): number[] {
  const found: number[] = []
  for (let i = first; i < end; i++) if (isCounted(i)) found.push(i)
  return found
}

/** The most frequent value. Equally frequent values are ordered by `compare`, or else by their first occurrence. */
function mostFrequent(values: readonly number[], compare: (a: number, b: number) => number = () => 0): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [[most] = [0]] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || compare(a, b))
  return most
}
