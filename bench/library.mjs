/**
 * The library in process: time to open it, and a lookup compared with a plain Map of objects and with SQLite by key. Answers
 * are compared before any lookup is timed; each round runs every contender in turn, and medians are printed.
 */
import { readFileSync } from 'node:fs'
import { openCatalog } from '../dist/src/index.js'
import { machine } from './machine.mjs'
import { openDatabase } from './servers/sqlite.mjs'

const SNAPSHOT = new URL('../dist/hs.snapshot', import.meta.url).pathname
const ROUNDS = 9
const OPENINGS = 7
const PER_ROUND = 200_000

const median = values => values.sort((a, b) => a - b)[values.length >> 1]
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Every code, from the chapters down. */
function allRecords(hs) {
  const records = []
  const pageOf = (list, code) => {
    for (let offset = 0; ; ) {
      const page = list(code, { limit: 50, offset })
      if (page === null) return
      for (const record of page.items) take(record)
      offset += page.items.length
      if (offset >= page.total) return
    }
  }
  const take = record => {
    records.push(record)
    if (record.level <= 12) pageOf(hs.children.bind(hs), record.hs_code)
  }
  for (let chapter = 1; chapter < 100; chapter++) {
    const record = hs.lookup(String(chapter).padStart(2, '0'))
    if (record !== null) take(record)
  }
  return records
}

/** A fixed pseudo-random sequence of codes, with repeats, so that all engines get the same codes in the same order. */
function randomCodes(codes) {
  let seed = 12_345
  const random = () => {
    // Math.imul, because an ordinary product exceeds 2 ** 53 and loses its low bits
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return seed / 2 ** 32
  }
  return Array.from({ length: PER_ROUND }, () => codes[Math.floor(random() * codes.length)])
}

function sqlite(records) {
  const database = openDatabase(':memory:')
  database.exec(
    'CREATE TABLE hs (code TEXT PRIMARY KEY, en TEXT, ar TEXT, parent INTEGER, rate REAL, active INTEGER) WITHOUT ROWID',
  )
  const insert = database.prepare('INSERT INTO hs VALUES (?, ?, ?, ?, ?, ?)')
  database.exec('BEGIN')
  for (const r of records)
    insert.run(r.hs_code, r.description.en, r.description.ar, r.parent_id, r.tariff_rate, r.is_active ? 1 : 0)
  database.exec('COMMIT')
  const select = database.prepare('SELECT * FROM hs WHERE code = ?')
  return code => {
    const row = select.get(code)
    return row === undefined
      ? null
      : {
          hs_code: row.code,
          description: { en: row.en, ar: row.ar },
          level: row.code.length,
          parent_id: row.parent,
          tariff_rate: row.rate,
          is_active: row.active === 1,
        }
  }
}

/** CPU time of this process per call, in microseconds. */
function microseconds(ask, list) {
  let found = 0
  const start = cpuMs()
  for (let i = 0; i < list.length; i++) if (ask(list[i]) !== null) found++
  const each = ((cpuMs() - start) * 1000) / list.length
  if (found !== list.length) throw new Error(`${list.length - found} codes were not found`)
  return each
}

const openings = []
for (let i = 0; i < OPENINGS; i++) {
  const [startCpu, start] = [cpuMs(), performance.now()]
  const hs = await openCatalog({ snapshot: SNAPSHOT })
  openings.push({ wall: performance.now() - start, cpu: cpuMs() - startCpu })
  hs.close()
}

const hs = await openCatalog({ snapshot: SNAPSHOT })
const records = allRecords(hs)
if (records.length !== hs.dataset.records) throw new Error(`${records.length} of ${hs.dataset.records} records`)
const map = new Map(records.map(record => [record.hs_code, structuredClone(record)]))
const codes = records.map(({ hs_code }) => hs_code)
const list = randomCodes(codes)

const rivals = new Map([
  ['a Map of objects', code => map.get(code) ?? null],
  ['hsapi, repeated lookup', code => hs.lookup(code)],
])
const notes = []
try {
  rivals.set('SQLite in memory, by key', sqlite(records))
} catch (error) {
  notes.push(`SQLite was left out: ${error.message}`)
}
for (const code of codes) {
  const expected = JSON.stringify(hs.lookup(code))
  for (const [name, ask] of rivals)
    if (JSON.stringify(ask(code)) !== expected) throw new Error(`${name} gives a different answer for ${code}`)
}

const bytes = readFileSync(SNAPSHOT)
const figures = new Map([...rivals.keys(), 'hsapi, first lookup', 'hsapi, unknown code'].map(n => [n, []]))
const unknown = codes.map(code => `${code}9999`.slice(0, 14)).filter(code => hs.lookup(code) === null)
for (let round = 0; round <= ROUNDS; round++) {
  const keep = (name, value) => round > 0 && figures.get(name).push(value) // round 0 warms up
  for (const [name, ask] of rivals) keep(name, microseconds(ask, list))
  // a new catalog each time, with empty caches
  const fresh = await openCatalog({ snapshot: bytes })
  keep(
    'hsapi, first lookup',
    microseconds(code => fresh.lookup(code), codes),
  )
  fresh.close()
  keep(
    'hsapi, unknown code',
    microseconds(code => (hs.lookup(code) === null ? true : null), unknown),
  )
}

const { cpu, cores, node } = machine()
console.log(`${cpu}, ${cores} cores, Node ${node}; ${records.length} records; medians of ${ROUNDS} rounds\n`)
const middle = name => median(openings.map(opening => opening[name])).toFixed(0)
console.log(`opening: ${middle('wall')} ms, ${middle('cpu')} ms of CPU; first ${openings[0].wall.toFixed(0)} ms\n`)
console.log('| Lookup | µs of CPU |\n|---|---|')
for (const [name, values] of figures) console.log(`| ${name} | ${median(values).toFixed(2)} |`)
for (const note of notes) console.log(`\n${note}`)
