/** Fastify over SQLite: codes by primary key, words through FTS5 and its own ranking. */
import { join } from 'node:path'
import { serveFastify } from './fastify-app.mjs'
import { readRecords } from './records.mjs'
import { openDatabase } from './sqlite.mjs'

const database = openDatabase(join(process.env.BENCH_FOLDER, 'records.sqlite'))
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE records (hs_code TEXT PRIMARY KEY, en TEXT, ar TEXT, level INTEGER, parent_id INTEGER,
    tariff_rate REAL, is_active INTEGER) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5(hs_code UNINDEXED, en, ar, keywords,
    tokenize = "unicode61 remove_diacritics 2");
  BEGIN;
`)
const addRecord = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)')
const addWords = database.prepare('INSERT INTO words VALUES (?, ?, ?, ?)')
for (const { record, keywords, searchable } of await readRecords(process.env.BENCH_DATASET)) {
  const { hs_code, description, level, parent_id, tariff_rate, is_active } = record
  addRecord.run(hs_code, description.en, description.ar, level, parent_id, tariff_rate, is_active ? 1 : 0)
  if (searchable) addWords.run(hs_code, description.en, description.ar, keywords)
}
database.exec("COMMIT; INSERT INTO words (words) VALUES ('optimize'); ANALYZE;")

const byCode = database.prepare('SELECT * FROM records WHERE hs_code = ?')
const count = database.prepare('SELECT count(*) AS total FROM words WHERE words MATCH ?')
const find = database.prepare(`
  SELECT r.hs_code, r.en, r.ar, r.tariff_rate FROM words JOIN records r ON r.hs_code = words.hs_code
  WHERE words MATCH ? ORDER BY bm25(words, 0, 1.5, 1.5, 1) LIMIT ? OFFSET ?
`)

await serveFastify({
  lookup: code => {
    const row = byCode.get(code)
    if (row === undefined) return undefined
    const { hs_code, en, ar, level, parent_id, tariff_rate, is_active } = row
    return { hs_code, description: { en, ar }, level, parent_id, tariff_rate, is_active: is_active === 1 }
  },
  search: (q, limit, offset) => {
    const words = q.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
    const quoted = words.map(word => `"${word}"`)
    let match = quoted.join(' ')
    let { total } = count.get(match)
    if (total === 0) {
      match = quoted.join(' OR ')
      total = count.get(match).total
    }
    const items = find
      .all(match, limit, offset)
      .map(({ hs_code, en, ar, tariff_rate }) => ({ hs_code, description: { en, ar }, tariff_rate }))
    return { total, items }
  },
})
