/**
 * npm run bench:classify [-- --file FILE.tsv]: how often the heading and the subheading of a product title come first, are
 * among the first three and among the first ten; whether scores are calibrated; whether wrong codes are noticed; and the time
 * per item. Compared with our search and with MiniSearch over the same records. titles.mjs describes the file format.
 */
import { parseArgs } from 'node:util'
import { readDataset } from '../dist/build/dataset/read.js'
import { Catalog } from '../dist/src/catalog/catalog.js'
import { loadSnapshot } from '../dist/src/snapshot/load.js'
import { miniSearch, searchable } from './relevance.mjs'
import { readTitles, SUBHEADING } from './titles.mjs'

const HEADING = 4
const TOPS = [1, 3, 10]
const SEARCHED = 50
const SEARCH_CHARS_MAX = 300
const BINS = 10
/** The default number of candidates in an answer. */
const SHOWN = 5
const ROUNDS = 5
/** The 95 % interval of a share (Wilson). */
const Z = 1.96

const { values } = parseArgs({ options: { file: { type: 'string' } } })
const rows = readTitles(values.file)
const catalog = new Catalog(await loadSnapshot(new URL('../dist/hs.snapshot', import.meta.url).pathname))
const { classifier, search, records } = catalog
const peer = miniSearch(searchable(await readDataset(new URL('../dataset', import.meta.url).pathname)))
const termsAt = (level, limit = 10) => ({ level, limit, within: [] })

const classified = (text, level) => classifier.classify(text, termsAt(level)).candidates.map(({ record }) => records.code(record))
const searched = text => search.find(text.slice(0, SEARCH_CHARS_MAX), 0, 0, SEARCHED).records.map(record => records.code(record))
/** The distinct prefixes of this many digits, in order. */
const distinct = (codes, digits) => [...new Set(codes.filter(code => code.length >= digits).map(code => code.slice(0, digits)))]

const ways = {
  'classify, heading': ({ text }) => classified(text, HEADING),
  'search, heading': ({ text }) => distinct(searched(text), HEADING),
  'MiniSearch, heading': ({ text }) => distinct(peer(text), HEADING),
  'classify, subheading': ({ text }) => classified(text, SUBHEADING),
  'search, subheading': ({ text }) => distinct(searched(text), SUBHEADING),
  'MiniSearch, subheading': ({ text }) => distinct(peer(text), SUBHEADING),
}

function shareOf(count, total) {
  const share = count / total
  const scale = 1 + Z ** 2 / total
  const middle = (share + Z ** 2 / (2 * total)) / scale
  const half = (Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2))) / scale
  return `${share.toFixed(3)} [${(middle - half).toFixed(3)}, ${(middle + half).toFixed(3)}]`
}

const groups = [...new Set(rows.map(({ group }) => group)), 'all']
const ofGroup = group => rows.filter(row => group === 'all' || row.group === group)

console.log(`${rows.length} titles; share with the right code first / among the first three / among the first ten\n`)
for (const [name, way] of Object.entries(ways)) {
  const lists = new Map(rows.map(row => [row, way(row)]))
  const figures = groups.map(group => {
    const own = ofGroup(group).filter(row => !name.endsWith('subheading') || row.subheading.length === SUBHEADING)
    const ranks = own.map(row => lists.get(row).indexOf(name.endsWith('subheading') ? row.subheading : row.heading))
    const shares = TOPS.map(top => shareOf(ranks.filter(rank => rank >= 0 && rank < top).length, own.length))
    return `${group} (${own.length}) ${shares.join(' / ')}`
  })
  console.log(`${name.padEnd(24)}${figures.join('   ')}`)
}

console.log('\nMean score of candidates: share that is right (number of candidates)')
for (const [name, level] of [
  ['heading', HEADING],
  ['subheading', SUBHEADING],
]) {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, sum: 0, right: 0 }))
  for (const row of rows)
    for (const { record, score } of classifier.classify(row.text, termsAt(level, SHOWN)).candidates) {
      const bin = bins[Math.min(BINS - 1, Math.floor(score * BINS))]
      bin.count++
      bin.sum += score
      if (records.code(record) === row[name]) bin.right++
    }
  const shown = bins.filter(({ count }) => count > 0)
  console.log(
    `${name.padEnd(12)}${shown.map(({ count, sum, right }) => `${(sum / count).toFixed(2)}: ${(right / count).toFixed(2)} (${count})`).join('  ')}`,
  )
}

console.log('\nstatus: share of titles, and share whose first subheading and heading are right')
const statuses = new Map()
for (const row of rows) {
  const { status, candidates } = classifier.classify(row.text, termsAt(SUBHEADING, 1))
  const known = statuses.get(status) ?? { count: 0, right: 0, heading: 0 }
  const code = candidates.length === 0 ? '' : records.code(candidates[0].record)
  known.count++
  if (code === row.subheading) known.right++
  if (code.startsWith(row.heading)) known.heading++
  statuses.set(status, known)
}
for (const [status, { count, right, heading }] of statuses)
  console.log(
    `${status.padEnd(12)}${shareOf(count, rows.length)}  subheading right ${shareOf(right, count)}, heading right ${shareOf(heading, count)}`,
  )

console.log('\nverify: right codes, another subheading of the heading, and codes of another title')
const verdicts = (name, codeOf) => {
  const found = { agrees: 0, doubtful: 0, contradicts: 0 }
  for (const [i, row] of rows.entries()) {
    const record = catalog.trie.find(codeOf(row, i))
    if (record >= 0) found[classifier.verify(row.text, record, termsAt(SUBHEADING)).status]++
  }
  const total = found.agrees + found.doubtful + found.contradicts
  const shares = Object.entries(found).map(([status, count]) => `${status} ${(count / total).toFixed(3)}`)
  console.log(`${name.padEnd(12)}${shares.join('  ')} (${total})`)
}
const sibling = ({ heading, subheading }) => {
  const parent = catalog.trie.find(heading)
  const codes = Array.from({ length: catalog.childCount[parent] ?? 0 }, (_, n) => records.code(catalog.firstChild[parent] + n))
  return codes.find(code => code !== subheading) ?? ''
}
verdicts('right', row => row.subheading)
verdicts('sibling', sibling)
verdicts('other', (_, i) => rows[(i + (rows.length >> 1)) % rows.length].subheading)

const times = []
for (let round = 0; round < ROUNDS; round++)
  for (const { text } of rows) {
    const before = process.cpuUsage()
    // the classifier caches only the last text, which was another one
    classifier.classify(text, termsAt(SUBHEADING, SHOWN))
    const { user, system } = process.cpuUsage(before)
    if (round > 0) times.push(user + system)
  }
times.sort((a, b) => a - b)
const at = share => `${times[Math.floor(share * (times.length - 1))]} µs`
console.log(`\none item: median ${at(0.5)}, 99 % within ${at(0.99)} of CPU`)
