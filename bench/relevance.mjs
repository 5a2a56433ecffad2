/**
 * npm run bench:relevance [-- --file FILE.tsv] [--misses N] — how often a search finds the expected code, for our engine and
 * two libraries over the same records, in one run.
 *
 * A file has a header line. Its columns decide what is measured:
 * - lang, query, heading (or subheading): how often that code, or one below it, is among the first ten results, and the mean
 *   reciprocal rank;
 * - kind, query, heading (or several, separated by commas): how often the heading comes first, and how often it is among the
 *   first ten results;
 * - lang, query, accepted, ideal: how often a customs expert accepts the first result, and how often one of the first three.
 *   A code is accepted if it starts with an accepted code of four digits or more, is the heading of an accepted subheading,
 *   or is an accepted chapter.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { buildRecords } from '../dist/build/compiler/hierarchy.js'
import { readDataset } from '../dist/build/dataset/read.js'
import { Catalog } from '../dist/src/catalog/catalog.js'
import { loadSnapshot } from '../dist/src/snapshot/load.js'

const TOP = 10

export function readPhrases(file) {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map(line => {
    const [lang, query, heading] = line.split('\t')
    return { lang, query, heading }
  })
}

/** Each engine returns the codes of its first ten results. */
export function ours(catalog) {
  return query => {
    const { records } = catalog.search.find(query, 0, 0, TOP)
    return Array.from(records, record => catalog.records.code(record))
  }
}

export function searchable(dataset) {
  return buildRecords(dataset.rows, dataset.manifest)
    .filter((record, i) => record.active && record.source === i)
    .map((record, id) => ({
      id,
      code: record.code,
      text: `${record.en} ${record.ar}`,
      keywords: [...record.keywordsEn, ...record.keywordsAr].join(' '),
    }))
}

/** Configured as its documentation suggests: prefixes, typing mistakes, descriptions weighted above keywords. */
export function miniSearch(documents) {
  const engine = new MiniSearch({
    fields: ['text', 'keywords'],
    storeFields: ['code'],
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { text: 1.5 } },
  })
  engine.addAll(documents)
  return query =>
    engine
      .search(query)
      .slice(0, TOP)
      .map(result => result.code)
}

/** Matches prefixes, and also returns results that match only some of the words. All other settings are the defaults. */
export function flexSearch(documents) {
  const engine = new Index({ tokenize: 'forward' })
  for (const { id, text, keywords } of documents) engine.add(id, `${text} ${keywords}`)
  return query => engine.search(query, { limit: TOP, suggest: true }).map(id => documents[id].code)
}

export function measure(engine, phrases) {
  const misses = []
  let hits = 0
  let reciprocal = 0
  for (const phrase of phrases) {
    const codes = engine(phrase.query)
    const rank = codes.findIndex(code => code.startsWith(phrase.heading)) + 1
    if (rank > 0) {
      hits++
      reciprocal += 1 / rank
    } else misses.push({ ...phrase, got: codes })
  }
  return { hit: hits / phrases.length, mrr: reciprocal / phrases.length, misses }
}

/** Whether a code is among the accepted ones. */
export function isAccepted(code, accepted) {
  return accepted
    .split(',')
    .some(one =>
      one.length === 2 ? code === one : code.startsWith(one) || (code.length === 4 && one.length > 4 && one.startsWith(code)),
    )
}

/** The share of queries whose first result is accepted, and the share with an accepted result among the first `within`. */
export function measureFirst(engine, queries, within) {
  const misses = []
  let first = 0
  let near = 0
  for (const query of queries) {
    const codes = engine(query.query).slice(0, within)
    if (codes.length > 0 && isAccepted(codes[0], query.accepted)) first++
    else misses.push({ ...query, heading: query.accepted, got: codes })
    if (codes.some(code => isAccepted(code, query.accepted))) near++
  }
  return { first: first / queries.length, near: near / queries.length, misses }
}

const HEAD_WITHIN = 3

/** For each form of file: the title of its figures, and how they are measured. */
const FORMS = {
  heading: {
    title: 'Expected code among the first ten results / mean reciprocal rank',
    measure: (engine, queries) => {
      const { hit, mrr, misses } = measure(engine, queries)
      return { figures: [hit, mrr], misses }
    },
  },
  typed: {
    title: 'Expected heading first / among the first ten results',
    measure: (engine, queries) => {
      const { first, near, misses } = measureFirst(engine, queries, TOP)
      return { figures: [first, near], misses }
    },
  },
  accepted: {
    title: 'First result accepted / one of the first three',
    measure: (engine, queries) => {
      const { first, near, misses } = measureFirst(engine, queries, HEAD_WITHIN)
      return { figures: [first, near], misses }
    },
  },
}

function readFile(file) {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const [group, , what] = header.split('\t')
  const form = what === 'accepted' ? 'accepted' : group === 'kind' ? 'typed' : 'heading'
  const queries = lines.map(line => {
    const [lang, query, expected] = line.split('\t')
    return { lang, query, heading: expected, accepted: expected }
  })
  return { form: FORMS[form], queries }
}

function report(file, engines, shown) {
  const { form, queries } = readFile(file)
  console.log(`\n${file}: ${queries.length} queries\n${form.title}`)
  const worst = []
  const groups = [...new Set(queries.map(({ lang }) => lang))].sort()
  for (const group of groups.length > 2 ? [...groups, 'all'] : groups) {
    const some = group === 'all' ? queries : queries.filter(({ lang }) => lang === group)
    for (const [name, engine] of Object.entries(engines)) {
      const { figures, misses } = form.measure(engine, some)
      const text = figures.map(figure => figure.toFixed(3)).join(' / ')
      console.log(`${`${group} (${some.length})`.padEnd(18)} ${name.padEnd(11)} ${text}`)
      if (name === 'hsapi' && group !== 'all') worst.push(...misses)
    }
  }
  if (shown > 0) console.log(`Missed by hsapi (showing ${Math.min(shown, worst.length)} of ${worst.length}):`)
  for (const { lang, query, heading, got } of worst.slice(0, shown))
    console.log(`${lang}  ${query} → ${heading}; got ${got.slice(0, 5).join(' ') || 'nothing'}`)
}

const OWN_FILES = ['phrases', 'subheadings', 'head-words', 'as-typed'].map(
  name => new URL(`relevance/${name}.tsv`, import.meta.url).pathname,
)

async function main() {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      misses: { type: 'string' },
      dataset: { type: 'string' },
      snapshot: { type: 'string' },
    },
  })
  const dataset = await readDataset(values.dataset ?? 'dataset')
  const documents = searchable(dataset)
  const catalog = new Catalog(await loadSnapshot(values.snapshot ?? 'dist/hs.snapshot'))
  const engines = {
    hsapi: ours(catalog),
    MiniSearch: miniSearch(documents),
    FlexSearch: flexSearch(documents),
  }
  console.log(`${documents.length} records`)
  for (const file of values.file === undefined ? OWN_FILES : [values.file]) report(file, engines, Number(values.misses ?? 20))
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main()
