/**
 * npm run bench:search — the search alone, in this process: time per query over the relevance phrases compared with MiniSearch,
 * with ten times the records, and for hostile queries; the same for suggestions; memory and load time of the index.
 */
import { performance } from 'node:perf_hooks'
import { compileRecords } from '../dist/build/compiler/compile.js'
import { buildRecords } from '../dist/build/compiler/hierarchy.js'
import { readDataset } from '../dist/build/dataset/read.js'
import { Catalog } from '../dist/src/catalog/catalog.js'
import { STEPS_MAX } from '../dist/src/catalog/search/steps.js'
import { SUGGEST_LIMIT_DEFAULT } from '../dist/src/limits.js'
import { assemble } from '../dist/src/snapshot/decode.js'
import { decodeParts, loadSnapshot } from '../dist/src/snapshot/load.js'
import { snapshotPieces } from '../dist/src/snapshot/write.js'
import { median } from './process.mjs'
import { miniSearch, readPhrases, searchable } from './relevance.mjs'

const ROUNDS = 5
const PAGE = 20
const TIMES = 10

const HOSTILE = [
  'a* a* a* a* a* a* a*',
  'ab ac ad ae af ag ah ai ak al am an ap ar as at au av aw ax ay az ba be bi bl bo br bu by',
  'co de in re un pa ma me mi po pr sa se st su ta te th ti to tr'.repeat(3).slice(0, 200),
  'steel steel steel steel steel steel steel steel steel steel steel steel steel',
  'parts of machines and apparatus for other than of iron or steel with or without electric motors parts',
  'x'.repeat(200),
  'qwertyuiopasdf zxcvbnmlkjhgf poiuytrewqasd mnbvcxzlkjhgfd',
  'ااا لل لل من في و و و و ب ب ك ك ال ال ال وال بال',
  'اجزاء الات اجهزة من حديد او صلب غيرها اجزاء الات كهربائية',
  // incomplete and common words, in both scripts: they have many candidates, each with many terms to look for
  'ot oth othe tha thei wit وا غي واج اخ واجز مك arti su mac mach suc صو comp خا عل che مث elec',
  'part article machinery metal product chemical ot oth وا غي واج su mac مك صو خا عل مث ور بم st co ma re',
  'علي مطا فا vitaminsuch oth ساي ياف ذات كيم clothnot واجهز وثمين vita blockصناعي me fu bin بوما حيوا andمعد material وا اك بر',
  'forand andfor notand andnot theand andthe forthe thefor fornot notfor anynot notany andany allfor forall',
  // characters that each fold to several
  '㌖'.repeat(200),
  'ﷺ'.repeat(200),
  '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25',
]

const SUGGEST_HOSTILE = [
  's',
  'م',
  'q'.repeat(60),
  'ﷺ'.repeat(60),
  'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  'steel machines for the working of metal and stone parts oth',
  'qwertyuiop asdfghjklz zxcvbnmqwe',
  'stainlees pollished interchangable',
]

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/**
 * Microseconds per query: the median of its rounds after one warm-up round, so that other load on the machine hardly matters.
 */
function time(run, queries, rounds = ROUNDS) {
  const rows = queries.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    queries.forEach((query, i) => {
      const start = performance.now()
      run(query)
      if (round > 0) rows[i].push((performance.now() - start) * 1000)
    })
  }
  const times = rows.map(row => median(row)).sort((a, b) => a - b)
  return { median: percentile(times, 0.5), p99: percentile(times, 0.99), max: times.at(-1) }
}

const show = (name, { median, p99, max }, more = '') =>
  console.log(
    `${name.padEnd(34)} median ${median.toFixed(0).padStart(6)} µs   p99 ${p99.toFixed(0).padStart(6)} µs   max ${max.toFixed(0)} µs${more}`,
  )

const phrases = readPhrases(new URL('relevance/phrases.tsv', import.meta.url).pathname)
const queries = phrases.map(({ query }) => query)
const dataset = await readDataset('dataset')

global.gc?.()
const before = process.memoryUsage()
const startLoad = performance.now()
const snapshot = await loadSnapshot('dist/hs.snapshot')
const loaded = performance.now()
const catalog = new Catalog(snapshot)
const ready = performance.now()
global.gc?.()
const after = process.memoryUsage()
const megabytes = bytes => (bytes / 1048576).toFixed(1)
console.log(
  `${catalog.meta.records} records; snapshot read in ${(loaded - startLoad).toFixed(0)} ms, index ready after ${(ready - loaded).toFixed(0)} ms more`,
)
console.log(
  `memory: heap +${megabytes(after.heapUsed - before.heapUsed)} MB, columns +${megabytes(after.arrayBuffers - before.arrayBuffers)} MB`,
)

/** The prefixes of all head words. The head word of a phrase is its last word in English and its first in Arabic. */
function beginnings(phrases) {
  const heads = phrases.map(({ lang, query }) => query.split(' ').at(lang === 'ar' ? 0 : -1))
  return [...new Set(heads.flatMap(head => [...head].map((_, i) => [...head].slice(0, i + 1).join(''))))]
}

const run = query => catalog.search.find(query, 0, 0, PAGE)
const here = time(run, queries)
show(`hsapi, ${queries.length} phrases`, here)
const worst = HOSTILE.map(query => ({ query, ...time(run, [query], 20), steps: catalog.search.steps }))
for (const { query, steps, ...times } of worst) show(`hostile: ${query.slice(0, 22)}`, times, `   ${steps} steps`)
const [slowest] = worst.toSorted((a, b) => b.median - a.median)
console.log(
  `the slowest hostile query takes ${(slowest.median / 1000).toFixed(2)} ms and ${slowest.steps} of at most ${STEPS_MAX} steps`,
)

const typed = beginnings(phrases)
const suggest = text => catalog.suggest.find(text, SUGGEST_LIMIT_DEFAULT)
show(`suggestions, ${typed.length} beginnings`, time(suggest, typed))
for (const text of SUGGEST_HOSTILE)
  show(`hostile: ${text.slice(0, 22)}`, time(suggest, [text], 20), `   ${catalog.suggest.steps} steps`)

const mini = miniSearch(searchable(dataset))
const there = time(mini, queries, 2)
show('MiniSearch, the same records', there)
console.log(
  `hsapi is ${(there.median / here.median).toFixed(1)} times as fast by the median, ${(there.p99 / here.p99).toFixed(1)} by the 99th percentile`,
)

const records = buildRecords(dataset.rows, dataset.manifest)
const many = []
for (let copy = 0; copy < TIMES; copy++) {
  const shift = copy * records.length
  for (const record of records) {
    many.push({
      ...record,
      // each copy has its own words, because a larger dataset also has more words
      en: copy === 0 ? record.en : `${record.en} variant${copy}`,
      parent: record.parent < 0 ? -1 : record.parent + shift,
      source: record.source + shift,
      firstChild: record.firstChild + shift,
    })
  }
}
const largeBytes = Buffer.concat(snapshotPieces(compileRecords(many, dataset), dataset.digest))
const large = new Catalog(assemble(decodeParts(largeBytes, 'large')))
const grown = time(query => large.search.find(query, 0, 0, PAGE), queries, 3)
show(`hsapi, ${TIMES} times the records`, grown)
console.log(`the 99th percentile grew ${(grown.p99 / here.p99).toFixed(1)} times`)
