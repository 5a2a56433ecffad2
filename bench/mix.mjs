/**
 * Requests as a deployment sees them: few codes asked often and many seldom, searches in both languages, estimates,
 * pages of children, and some mistakes. The same seed gives the same list.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LENGTH = 8192
const SEED = 6
/** Out of 100 requests. */
const SHARES = { lookup: 62, search: 20, tariff: 8, children: 6, mistake: 4 }
const KINDS = Object.entries(SHARES).flatMap(([kind, share]) => Array(share).fill(kind))
const UNKNOWN_KEY = 'hs_free_00000000000000000000000000000000_000000'
const MISTAKES = [
  '/api/v1/hs-codes/85.23',
  '/api/v1/hs-codes/00',
  '/api/v1/search?q=a',
  '/api/v1/tariff/calculate?hs_code=852321&value=none',
  '/api/v1/nowhere',
]

/** mulberry32 */
function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Zipf's law with exponent 1: the item of rank r is asked 1/r times as often as the first. */
function skewed(items, next) {
  const cumulative = []
  let sum = 0
  for (let rank = 1; rank <= items.length; rank++) {
    sum += 1 / rank
    cumulative.push(sum)
  }
  return () => {
    const wanted = next() * sum
    let low = 0
    let high = items.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle] < wanted) low = middle + 1
      else high = middle
    }
    return items[low]
  }
}

function shuffled(items, next) {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}

function datasetCodes(directory) {
  const chapters = join(directory, 'chapters')
  return readdirSync(chapters).flatMap(name =>
    readFileSync(join(chapters, name), 'utf8')
      .split('\n')
      .map(line => /^(\d{2,14}),/.exec(line)?.[1])
      .filter(code => code !== undefined),
  )
}

function phrases() {
  const [, ...lines] = readFileSync(new URL('relevance/phrases.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => line.split('\t')[1])
}

/** @returns {[string, object][]} paths with their headers */
export function requestMix({ dataset, key }) {
  const next = random(SEED)
  const known = { 'X-Api-Key': key }
  const unknown = { 'X-Api-Key': UNKNOWN_KEY }
  const codes = shuffled(datasetCodes(dataset), next)
  const code = skewed(codes, next)
  const parent = skewed(
    codes.filter(text => text.length < 8),
    next,
  )
  const query = skewed(shuffled(phrases(), next), next)
  const pick = items => items[Math.floor(next() * items.length)]
  const make = {
    lookup: () => [`/api/v1/hs-codes/${code()}`, known],
    search: () => [`/api/v1/search?q=${encodeURIComponent(query())}`, known],
    children: () => [`/api/v1/hs-codes/${parent()}/children`, known],
    tariff: () => {
      const value = (next() * 100_000 + 0.01).toFixed(2)
      return [
        `/api/v1/tariff/calculate?hs_code=${code()}&value=${value}${pick(['', '&include_vat=1'])}`,
        known,
      ]
    },
    mistake: () => pick([...MISTAKES.map(path => [path, known]), ['/api/v1/hs-codes/85', unknown]]),
  }
  return Array.from({ length: LENGTH }, () => make[pick(KINDS)]())
}
