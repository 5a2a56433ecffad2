/**
 * npm run bench:relevance [-- --file FILE.tsv] [--misses N] — how often the heading that a person expects is found,
 * for us and for two libraries over the same records, in one run.
 *
 * A phrase file has the columns lang, query, heading (four digits), with a header line.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { buildRecords } from '../dist/build/hierarchy.js'
import { readDataset } from '../dist/build/read.js'
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

/** Each engine gives the codes of its first ten results. */
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

/** As its documentation suggests for such a search: prefixes, typing mistakes, descriptions before keywords. */
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

/** As it comes. */
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

async function main() {
  const { values } = parseArgs({
    options: {
      file: { type: 'string' },
      misses: { type: 'string' },
      dataset: { type: 'string' },
      snapshot: { type: 'string' },
    },
  })
  const file = values.file ?? new URL('relevance/phrases.tsv', import.meta.url).pathname
  const phrases = readPhrases(file)
  const dataset = await readDataset(values.dataset ?? 'dataset')
  const documents = searchable(dataset)
  const catalog = new Catalog(await loadSnapshot(values.snapshot ?? 'dist/hs.snapshot'))
  const engines = {
    hsapi: ours(catalog),
    MiniSearch: miniSearch(documents),
    FlexSearch: flexSearch(documents),
  }
  console.log(`${file}: ${phrases.length} phrases over ${documents.length} records`)
  console.log('Expected heading among the first ten results / mean reciprocal rank')
  const worst = []
  for (const lang of [...new Set(phrases.map(phrase => phrase.lang))].sort()) {
    const some = phrases.filter(phrase => phrase.lang === lang)
    for (const [name, engine] of Object.entries(engines)) {
      const { hit, mrr, misses } = measure(engine, some)
      console.log(`${lang} (${some.length})  ${name.padEnd(11)} ${hit.toFixed(3)} / ${mrr.toFixed(3)}`)
      if (name === 'hsapi') worst.push(...misses)
    }
  }
  const shown = Number(values.misses ?? 20)
  if (shown > 0)
    console.log(`\nNot found by hsapi (${worst.length}, the first ${Math.min(shown, worst.length)}):`)
  for (const { lang, query, heading, got } of worst.slice(0, shown)) {
    console.log(`${lang}  ${query} → ${heading}; got ${got.slice(0, 5).join(' ') || 'nothing'}`)
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main()
