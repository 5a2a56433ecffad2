/**
 * npm run bench:enrich: how many rows a second `hsapi enrich` takes, beside a bare copy of the same file through the same CSV
 * libraries, stream by stream, and beside our own reader and writer without a question asked. `-- --rows N` (300,000).
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
import { readEdition } from '../dist/src/questions/resolve.js'
import { loadSnapshot } from '../dist/src/snapshot/load.js'
import { extendTable } from '../dist/src/tables/extend.js'

const ROUNDS = 5
const { values } = parseArgs({ options: { rows: { type: 'string', default: '300000' } } })
const rows = Number(values.rows)

const catalog = new Catalog(await loadSnapshot(new URL('../dist/hs.snapshot', import.meta.url).pathname))
const folder = mkdtempSync(join(tmpdir(), 'hsapi-bench-'))
const file = join(folder, 'in.csv')
const out = join(folder, 'out.csv')

/** As invoices have them: mostly right, some with dots, some without their zero, some that nobody knows. */
function codeAs(kind, code) {
  if (kind < 12) return code
  if (kind < 16) return `${code.slice(0, 4)}.${code.slice(4, 6)}`
  if (kind < 18) return String(Number(code))
  return kind === 18 ? `${code.slice(0, 2)}9999` : 'see list'
}

async function writeTable() {
  const subheadings = []
  for (let record = 0; record < catalog.meta.records; record++)
    if (catalog.level[record] === 6) subheadings.push(catalog.records.code(record))
  const stream = createWriteStream(file)
  stream.write('line,item,hs_code,quantity,value,origin\n')
  for (let i = 0; i < rows; i++) {
    const code = codeAs(i % 20, subheadings[(i * 7919) % subheadings.length])
    const isRoom = stream.write(`${i},"Item ${i}, as described",${code},${i % 90},${(i % 9000) / 4},AE\n`)
    if (!isRoom) await new Promise(resolve => stream.once('drain', resolve))
  }
  stream.end()
  await finished(stream)
}

const extend = begin =>
  extendTable({
    file,
    out,
    separator: undefined,
    forExcel: false,
    force: true,
    progress: () => {},
    signal: new AbortController().signal,
    begin,
  })

const WAYS = {
  'csv-parse to csv-stringify': async () => {
    await pipeline(createReadStream(file), parse(), stringify(), createWriteStream(out))
    return statSync(out).size === statSync(file).size ? rows : 0
  },
  'our reader and writer alone': () => extend(() => ({ columns: [], fill: () => [] })),
  'hsapi enrich': () => {
    const enricher = new Enricher(catalog, readEdition(catalog), false)
    const columns = ENRICHED.map(name => ({ name: `x_${name}`, kind: 'text' }))
    return extend(() => ({ columns, fill: cellAt => enricher.enrich(cellAt(2)) }))
  },
}

await writeTable()
console.log(`${rows} rows, ${(statSync(file).size / 1e6).toFixed(1)} MB; medians of ${ROUNDS} rounds`)
const seconds = new Map(Object.keys(WAYS).map(name => [name, []]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(WAYS)) {
    const start = process.hrtime.bigint()
    const count = await run()
    if (count !== rows) throw new Error(`${name} took ${count} of ${rows} rows`)
    seconds.get(name).push(Number(process.hrtime.bigint() - start) / 1e9)
  }
}
for (const [name, times] of seconds) {
  const median = times.sort((a, b) => a - b)[ROUNDS >> 1]
  console.log(`${name.padEnd(34)} ${median.toFixed(2)} s  ${Math.round(rows / median)} rows a second`)
}
rmSync(folder, { recursive: true })
