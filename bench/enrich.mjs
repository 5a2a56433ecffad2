/**
 * npm run bench:enrich: rows per second of `hsapi enrich`, compared with a copy of the same file through the same CSV
 * libraries, stream by stream, and with our own reader and writer without lookups. `-- --rows N` (300,000). `-- --words`
 * measures `hsapi enrich --words` instead, over 10,000 rows of titles: alone, with a code, and with repeated texts. The time
 * without the classifier shows the cost of the rest of the program.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse'
import { stringify } from 'csv-stringify'
import { Catalog } from '../dist/src/catalog/catalog.js'
import { ENRICHED, Enricher } from '../dist/src/questions/enrich.js'
import { WordsEnricher, wordsCells } from '../dist/src/questions/enrich-words.js'
import { readEdition } from '../dist/src/questions/resolve.js'
import { loadSnapshot } from '../dist/src/snapshot/load.js'
import { extendTable } from '../dist/src/tables/extend.js'

const ROUNDS = 5
const { values } = parseArgs({ options: { rows: { type: 'string' }, words: { type: 'boolean', default: false } } })
const rows = Number(values.rows ?? (values.words ? 10_000 : 300_000))

const catalog = new Catalog(await loadSnapshot(new URL('../dist/hs.snapshot', import.meta.url).pathname))
const folder = mkdtempSync(join(tmpdir(), 'hsapi-bench-'))
const file = join(folder, 'in.csv')
const out = join(folder, 'out.csv')

/** Codes as in invoices: mostly correct, some with dots, some without the leading zero, some unknown. */
function codeAs(kind, code) {
  if (kind < 12) return code
  if (kind < 16) return `${code.slice(0, 4)}.${code.slice(4, 6)}`
  if (kind < 18) return String(Number(code))
  return kind === 18 ? `${code.slice(0, 2)}9999` : 'see list'
}

/** Titles as in shops: goods in either language, with a brand, a size and a number that make each title unique. */
function titleOf(i, code) {
  const { en, ar } = catalog.records.description(catalog.trie.find(code))
  const goods = (i % 3 === 0 ? ar : en).replaceAll('"', '').split(' ').slice(0, 8).join(' ')
  return `"BRAND${i % 97} ${goods}, ${i % 40} x ${(i * 13) % 900} ml, black, ref ${i}"`
}

async function writeTable() {
  const subheadings = []
  for (let record = 0; record < catalog.meta.records; record++)
    if (catalog.level[record] === 6) subheadings.push(catalog.records.code(record))
  const stream = createWriteStream(file)
  stream.write('line,item,hs_code,quantity,value,origin\n')
  for (let i = 0; i < rows; i++) {
    const code = codeAs(i % 20, subheadings[(i * 7919) % subheadings.length])
    const item = values.words ? titleOf(i, subheadings[(i * 7919) % subheadings.length]) : `"Item ${i}, as described"`
    const isRoom = stream.write(`${i},${item},${code},${i % 90},${(i % 9000) / 4},AE\n`)
    if (!isRoom) await new Promise(resolve => stream.once('drain', resolve))
  }
  stream.end()
  await finished(stream)
}

const extend = begin =>
  extendTable({
    file,
    out,
    isSlow: values.words,
    separator: undefined,
    forExcel: false,
    force: true,
    progress: () => {},
    signal: new AbortController().signal,
    begin,
  })

const NO_CLASSIFIER = {
  classify: () => ({ status: 'choose', candidates: [{ record: 0, score: 0.5, matched: [] }], question: undefined }),
  verify: () => ({ status: 'agrees', against: [] }),
}

/** `textOf` may replace the text of a row. */
function extendByWords(withVerdict, textOf = text => text, classifier = catalog.classifier) {
  const options = { level: 6, candidates: 1, withVerdict }
  const words = new WordsEnricher(catalog, options, classifier)
  const codes = new Enricher(catalog, readEdition(catalog), false)
  const columns = [...(withVerdict ? ENRICHED : []), ...wordsCells(options)].map(name => ({ name: `x_${name}`, kind: 'text' }))
  const fill = cellAt => {
    const own = withVerdict ? codes.enrich(cellAt(2)) : []
    return [...own, ...words.enrich(textOf(cellAt(1)), withVerdict ? catalog.trie.find(own[1]) : -1)]
  }
  return extend(() => ({ columns, fill }))
}

/** Repeats the texts of the first tenth of the rows. */
function tenTimes() {
  const first = []
  let row = 0
  return text => {
    if (first.length < rows / 10) first.push(text)
    return first[row++ % first.length]
  }
}

const WORDS_WAYS = {
  'without the classifier': () => extendByWords(true, undefined, NO_CLASSIFIER),
  'hsapi enrich --words': () => extendByWords(false),
  'hsapi enrich --words --column': () => extendByWords(true),
  '--words, each text ten times': () => extendByWords(false, tenTimes()),
}

const CODE_WAYS = {
  'csv-parse to csv-stringify': async () => {
    await pipeline(createReadStream(file), parse(), stringify(), createWriteStream(out))
    return statSync(out).size === statSync(file).size ? rows : 0
  },
  'only our reader and writer': () => extend(() => ({ columns: [], fill: () => [] })),
  'hsapi enrich': () => {
    const enricher = new Enricher(catalog, readEdition(catalog), false)
    const columns = ENRICHED.map(name => ({ name: `x_${name}`, kind: 'text' }))
    return extend(() => ({ columns, fill: cellAt => enricher.enrich(cellAt(2)) }))
  },
}

const WAYS = values.words ? WORDS_WAYS : CODE_WAYS
await writeTable()
console.log(`${rows} rows, ${(statSync(file).size / 1e6).toFixed(1)} MB; medians of ${ROUNDS} rounds`)
const seconds = new Map(Object.keys(WAYS).map(name => [name, []]))
/** CPU time of all threads; unlike wall time, it does not depend on other load of the machine. */
const processorSeconds = new Map(Object.keys(WAYS).map(name => [name, []]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(WAYS)) {
    const start = process.hrtime.bigint()
    const before = process.cpuUsage()
    const count = await run()
    const { user, system } = process.cpuUsage(before)
    if (count !== rows) throw new Error(`${name} processed ${count} of ${rows} rows`)
    processorSeconds.get(name).push((user + system) / 1e6)
    seconds.get(name).push(Number(process.hrtime.bigint() - start) / 1e9)
  }
}
const median = times => times.sort((a, b) => a - b)[ROUNDS >> 1]
const figures = time => `${time.toFixed(2)} s  ${Math.round(rows / time)} rows a second`
for (const [name, times] of seconds)
  console.log(`${name.padEnd(34)} ${figures(median(times))}; CPU ${figures(median(processorSeconds.get(name)))}`)
rmSync(folder, { recursive: true })
