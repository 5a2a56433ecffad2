/**
 * Searches for slow texts: draws random texts, then mutates the slowest and keeps each change that makes a text slower. Runs in
 * process and takes the least CPU time of a few runs, because disturbances only add time.
 */
import { Catalog } from '../../dist/src/catalog/catalog.js'
import * as limits from '../../dist/src/limits.js'
import { Resolver } from '../../dist/src/questions/resolve.js'
import { loadSnapshot } from '../../dist/src/snapshot/load.js'
import { Random } from '../shared/random.mjs'

/** One text may take this long. */
export const TEXT_MS_MAX = 20
const RUNS = 3
/**
 * Share of texts that are drawn at random. The others are mutations of the ten slowest texts and replace these if they are
 * slower.
 */
const DRAWN_SHARE = 0.5
const CLIMBS = 10
const PIECES = [
  ...['a', 'b', 's', 'q', 'shirt', 'cotton', 'steel', 'machine', 'cofee', 'other than', 'not', 'except', 'hs code', 'and', 'or'],
  ...['ا', 'و', 'ال', 'قميص', 'حديد', 'عدا', 'باستثناء', 'رمز', 'ـ', 'ّ', 'لل'],
  ...['0', '1', '12', '8471', '1.', '64-17-5', '٨', '½', '⑴', '㎏', '™', '\ufdfa', 'ﬃ'],
  ...[' ', '  ', '\t', '\u200f', ',', '،', ';', '.', '-', '(', ')', "'", '"', '/', '&', '%', '—'],
  ...['é', 'e\u0301', '\u0301', '\u0300\u0323', '😀', '👨‍👩‍👧', '中', 'я', 'क', 'ß', 'İ', '\ud83d'],
]

/** Counts code points, like the limits of the API. */
const cut = (text, charsMax) => [...text].slice(0, charsMax).join('')

function fresh(random, words, charsMax) {
  const piece = () => (random.chance(0.4) ? random.pick(words) : random.pick(PIECES))
  const draw = random.next()
  if (draw < 0.3) return cut(piece().repeat(charsMax), charsMax)
  // many repetitions of one piece, then of another: careless code scans the second run once for each piece of the first
  if (draw < 0.6) return cut(cut(piece().repeat(charsMax), random.between(1, charsMax)) + piece().repeat(charsMax), charsMax)
  return cut(Array.from({ length: charsMax }, () => piece() + (random.chance(0.5) ? ' ' : '')).join(''), charsMax)
}

function changed(random, words, text, charsMax) {
  const chars = [...text]
  const at = random.between(0, chars.length)
  const end = Math.min(chars.length, at + random.between(0, 12))
  const draw = random.next()
  const piece = random.chance(0.4) ? random.pick(words) : random.pick(PIECES)
  if (draw < 0.3) chars.splice(at, 0, ...piece.repeat(random.between(1, 40)))
  else if (draw < 0.5) chars.splice(at, end - at, ...piece)
  else if (draw < 0.7) chars.splice(at, 0, ...chars.slice(at, end).join('').repeat(random.between(1, 8)))
  else if (draw < 0.85) chars.splice(at, end - at)
  else chars.push(...piece)
  return cut(chars.join(''), charsMax)
}

function timeMs(ask, text) {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    ask(text)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** Yields `{ name, text, ms, tried }` for each kind of question: the slowest of `texts` texts, or of those tried in `msMax`. */
export async function* slowTexts({ snapshot, seed, words, texts, msMax }) {
  const catalog = new Catalog(await loadSnapshot(snapshot))
  const resolvers = catalog.meta.editions.map(({ year }) => new Resolver(catalog, String(year)))
  let other = 0
  const questions = [
    ['search', limits.QUERY_CHARS_MAX, text => catalog.search.find(text, 0, 0, limits.PAGE_LIMIT_MAX)],
    ['search at a level', limits.QUERY_CHARS_MAX, text => catalog.search.find(text, 12, 0, limits.PAGE_LIMIT_MAX)],
    ['suggest', limits.SUGGEST_CHARS_MAX, text => catalog.suggest.find(text, limits.SUGGEST_LIMIT_MAX)],
    [
      'classify',
      limits.CLASSIFY_CHARS_MAX,
      text => {
        const terms = { level: 12, limit: limits.CLASSIFY_LIMIT_MAX, within: [] }
        // the classifier remembers the last text
        catalog.classifier.classify(`a${other++}`, { ...terms, level: 4, limit: 1 })
        catalog.classifier.classify(text, terms)
      },
    ],
    [
      'resolve',
      limits.RESOLVE_CHARS_MAX,
      text => {
        for (const resolver of resolvers) resolver.resolve(text)
      },
    ],
  ]
  for (const [i, [name, charsMax, ask]] of questions.entries()) {
    const random = new Random(seed, i)
    for (let warm = 0; warm < 200; warm++) ask(fresh(random, words, charsMax))
    const deadlineMs = Date.now() + msMax
    let tried = 0
    const isOver = (share = 1) => tried >= texts * share || Date.now() >= deadlineMs - (1 - share) * msMax
    const drawn = []
    for (; !isOver(DRAWN_SHARE); tried++) {
      const text = fresh(random, words, charsMax)
      drawn.push({ text, ms: timeMs(ask, text) })
    }
    const starts = drawn.sort((a, b) => b.ms - a.ms).slice(0, CLIMBS)
    for (const [n, best] of starts.entries()) {
      const share = DRAWN_SHARE + ((1 - DRAWN_SHARE) * (n + 1)) / starts.length
      for (; !isOver(share); tried++) {
        const text = changed(random, words, best.text, charsMax)
        const ms = timeMs(ask, text)
        if (ms > best.ms) Object.assign(best, { text, ms })
      }
    }
    const slowest = starts.reduce((a, b) => (b.ms > a.ms ? b : a), { text: '', ms: 0 })
    yield { name, ...slowest, tried }
  }
}
