/**
 * npm run bench:classify [-- --file FILE.tsv]: how often the heading of a product title comes first, among three and among ten. It
 * compares search alone, the votes of its first fifty results, a model trained on the dataset's phrases and titles, and both together.
 *
 * A file has a header line with the columns query (or title) and heading, and a first column to group by.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildExamples } from '../dist/build/compiler/classifier/examples.js'
import { train } from '../dist/build/compiler/classifier/train.js'
import { readDataset } from '../dist/build/dataset/read.js'
import { Catalog } from '../dist/src/catalog/catalog.js'
import { featuresOf, Model } from '../dist/src/catalog/classify/model.js'
import { Vocabulary } from '../dist/src/catalog/search/vocabulary.js'
import { loadSnapshot } from '../dist/src/snapshot/load.js'

const HEADING_DIGITS = 4
const VOTERS = 50
/** The first result's vote is 1 / RANK_OFFSET. */
const RANK_OFFSET = 2
const MODEL_SHARE = 0.5
/** A title is what will be asked for, and there are fewer of them than phrases. */
const TITLE_WEIGHT = 3
const QUERY_CHARS_MAX = 300

const { values } = parseArgs({ options: { file: { type: 'string' } } })
const file = values.file ?? new URL('classify/titles.tsv', import.meta.url).pathname

const snapshot = await loadSnapshot(new URL('../dist/hs.snapshot', import.meta.url).pathname)
const { columns } = snapshot
const catalog = new Catalog(snapshot)
const vocabulary = new Vocabulary(snapshot.vocabulary, catalog.stemmer)
const { titles } = await readDataset(new URL('../dataset', import.meta.url).pathname)

const headings = []
for (let record = 0; record < columns.level.length; record++)
  if (columns.level[record] === HEADING_DIGITS) headings.push(catalog.records.code(record))
const classOf = new Map(headings.map((heading, i) => [heading, i]))
const headingOf = record => catalog.records.code(record).slice(0, HEADING_DIGITS)

const termsOf = text =>
  catalog.stemmer
    .terms(text)
    .map(term => vocabulary.find(term))
    .filter(place => place >= 0)

function trainingTexts() {
  const texts = []
  const { phrasesAt, phraseTermsAt, phraseLength, phraseTerm } = columns
  for (let record = 0; record < columns.level.length; record++) {
    const one = classOf.get(headingOf(record))
    let from = phraseTermsAt[record]
    for (let phrase = phrasesAt[record]; phrase < phrasesAt[record + 1]; phrase++) {
      const terms = phraseTerm.subarray(from, from + phraseLength[phrase])
      from += phraseLength[phrase]
      if (one !== undefined && terms.length > 0) texts.push({ terms, class: one, weight: 1 })
    }
  }
  for (const { hs_code, title } of titles) {
    const terms = termsOf(title)
    if (terms.length > 0) texts.push({ terms, class: classOf.get(hs_code.slice(0, HEADING_DIGITS)), weight: TITLE_WEIGHT })
  }
  return texts
}

const startCpu = process.cpuUsage()
const examples = buildExamples(trainingTexts(), vocabulary.size)
const weights = train(examples, headings.length)
const { user, system } = process.cpuUsage(startCpu)
const bytes = [weights.at, weights.classes, weights.weights, examples.pairs].reduce((sum, { byteLength }) => sum + byteLength, 0)
const model = new Model(weights, headings.length)
console.log(
  `${examples.classes.length} texts, ${titles.length} of them titles; trained in ${((user + system) / 1e6).toFixed(1)} s of CPU`,
)
console.log(`${(bytes / 1e6).toFixed(1)} MB, ${weights.classes.length} weights\n`)

/** Places of headings with a score, best first. */
const ranked = scores => [...scores].sort((a, b) => b[1] - a[1]).map(([one]) => headings[one])

function votesOf(records) {
  const votes = new Map()
  for (const [rank, record] of records.entries()) {
    const one = classOf.get(headingOf(record))
    if (one !== undefined) votes.set(one, (votes.get(one) ?? 0) + 1 / (RANK_OFFSET + rank))
  }
  return votes
}

function mixed(scores, votes) {
  const both = new Map()
  for (const [side, share] of [
    [scores, MODEL_SHARE],
    [votes, 1 - MODEL_SHARE],
  ]) {
    const best = Math.max(...side.values())
    for (const [one, score] of side) both.set(one, (both.get(one) ?? 0) + (share * score) / best)
  }
  return both
}

function rankings(text) {
  const query = text.slice(0, QUERY_CHARS_MAX)
  const { records } = catalog.search.find(query, 0, 0, VOTERS)
  const votes = votesOf(records)
  const scores = model.scores(featuresOf(termsOf(query), examples.pairs, vocabulary.size))
  const found = records.map(headingOf).filter(heading => heading.length === HEADING_DIGITS)
  return { search: [...new Set(found)], votes: ranked(votes), model: ranked(scores), both: ranked(mixed(scores, votes)) }
}

const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
const names = header.split('\t')
const place = (...known) => names.findIndex(name => known.includes(name))
const rows = lines
  .map(line => line.split('\t'))
  .map(row => ({ group: row[0], text: row[place('query', 'title')], heading: row[place('heading')] }))

const ways = ['search', 'votes', 'model', 'both']
for (const group of [...new Set(rows.map(row => row.group)), 'all']) {
  const own = rows.filter(row => group === 'all' || row.group === group)
  const hits = Object.fromEntries(ways.map(way => [way, [0, 0, 0]]))
  for (const { text, heading } of own) {
    const lists = rankings(text)
    for (const way of ways) {
      const rank = lists[way].indexOf(heading)
      for (const [i, top] of [1, 3, 10].entries()) if (rank >= 0 && rank < top) hits[way][i]++
    }
  }
  const figures = way => `${way} ${hits[way].map(count => (count / own.length).toFixed(3)).join(' / ')}`
  console.log(`${`${group} (${own.length})`.padEnd(20)} ${ways.map(figures).join('   ')}`)
}
