/** A typical Node implementation: Fastify, a Map for the codes and MiniSearch for the words. */
import { require, serveFastify } from './fastify-app.mjs'
import { readRecords } from './records.mjs'

const MiniSearch = require('minisearch')

const records = await readRecords(process.env.BENCH_DATASET)
const byCode = new Map(records.map(({ record }) => [record.hs_code, record]))
const engine = new MiniSearch({
  idField: 'hs_code',
  fields: ['text', 'keywords'],
  // as the documentation of MiniSearch suggests
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { text: 1.5 } },
})
engine.addAll(
  records
    .filter(({ searchable }) => searchable)
    .map(({ record, keywords }) => ({
      hs_code: record.hs_code,
      text: `${record.description.en} ${record.description.ar}`,
      keywords,
    })),
)

await serveFastify({
  lookup: code => byCode.get(code),
  search: (q, limit, offset) => {
    const found = engine.search(q)
    const items = found.slice(offset, offset + limit).map(({ id }) => byCode.get(id))
    return { total: found.length, items }
  },
})
