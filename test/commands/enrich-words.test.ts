import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readSheetCells } from '../../src/tables/xlsx.js'
import { builtSnapshot, MAIN, type Run, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const snapshot = await builtSnapshot(t)
const CANDIDATE = ['code', 'description_en', 'description_ar', 'rate', 'score']
const names = (words: readonly string[]) => words.map(name => `hs_words_${name}`)
const ADDED = names(['status', ...CANDIDATE, 'question_en', 'question_ar'])
const CODES = ['status', 'code', 'description_en', 'description_ar', 'rate', 'candidates'].map(name => `hs_${name}`)
const STATUSES = ['clear', 'choose', 'ask', 'unknown']

/** A folder with the table, a function that runs the command there, and the cells of its output. */
function opened(t: Parameters<typeof temporaryDirectory>[0], content: string) {
  const folder = temporaryDirectory(t)
  writeFileSync(join(folder, 'in.csv'), content)
  const enrich = (...args: string[]): Promise<Run> =>
    run(['enrich', '--snapshot', snapshot, join(folder, 'in.csv'), '--out', join(folder, 'out.csv'), '--force', ...args])
  const sheet = async (...args: string[]) => {
    const { code, stderr } = await enrich(...args, '--out', join(folder, 'out.xlsx'))
    t.equal(code, 0, stderr)
    return readSheetCells(join(folder, 'out.xlsx'))
  }
  return { folder, enrich, sheet, read: () => readFileSync(join(folder, 'out.csv'), 'utf8') }
}

const TABLE = `item,code
Apple smartphone 128 GB,8517.13
"cards, ""magnetic"" stripe",851713000000
هواتف ذكية,see list
,852321

qqzzqq,852321
=smartphone,
x,852321
`

t.test('words get a status, a code and its score; the columns of the table stay unchanged', async t => {
  const { enrich, read, sheet } = opened(t, TABLE)
  const { code, stdout, stderr } = await enrich('--words', 'ITEM')
  t.equal(code, 0, stderr)
  t.equal(stderr, '')
  const lines = read().split('\n')
  const before = TABLE.split('\n')
  t.equal(lines[0], `item,code,${ADDED.join(',')}`)
  t.equal(lines.length, before.length)
  for (const [i, line] of lines.entries()) t.ok(line.startsWith(before[i] ?? '-'), line)
  t.equal(lines[4], ',852321,,,,,,,,', 'nothing is proposed for a blank cell')
  t.equal(lines[6], 'qqzzqq,852321,unknown,,,,,,,')
  t.match(stdout, /out\.csv: 7 rows\n/)
  t.match(stdout, /^ {2}blank +1$/m)

  const [, ...rows] = await sheet('--words', '1')
  for (const i of [0, 1, 2, 6]) {
    const [status, proposed, en, ar, rate, score] = rows[i]?.slice(2) ?? []
    t.ok(STATUSES.includes(String(status)), String(status))
    t.match(proposed, /^\d{6}$/, 'a code is text')
    t.ok(en && ar)
    t.type(rate, 'number')
    t.ok(typeof score === 'number' && score > 0 && score <= 1, String(score))
  }
  t.match(rows[0]?.[3], '851713')
})

t.test('--candidates adds more codes, best first, and --level sets their digits', async t => {
  const { sheet } = opened(t, 'item\nmagnetic cards\n')
  const [header = [], row = []] = await sheet('--words', 'item', '--candidates', '3', '--level', '4')
  const numbered = [2, 3].flatMap(n => CANDIDATE.map(name => `${name}_${n}`))
  t.strictSame(header, ['item', ...names(['status', ...CANDIDATE, ...numbered, 'question_en', 'question_ar'])])
  const scores = header.flatMap((name, i) => (String(name).includes('score') && row[i] !== null ? [Number(row[i])] : []))
  t.ok(scores.length > 0)
  t.strictSame(
    scores,
    scores.toSorted((a, b) => b - a),
  )
  const codes = header.flatMap((name, i) => (/_code(?:_\d)?$/.test(String(name)) && row[i] !== null ? [row[i]] : []))
  for (const code of codes) t.match(code, /^\d{4}$/)
  t.equal(new Set(codes).size, codes.length)
})

t.test('with --column the words are compared with the code', async t => {
  const { enrich, sheet, read } = opened(t, TABLE)
  const [header = [], ...rows] = await sheet('--words', 'item', '--column', 'code')
  t.strictSame(header, ['item', 'code', ...CODES, 'hs_verdict', 'hs_better_code', ...ADDED])
  const verdicts = rows.map(row => row[8])
  t.match(verdicts[0], /^(?:agrees|doubtful)$/)
  t.match(verdicts[1], /^(?:doubtful|contradicts)$/)
  t.equal(rows[1]?.[9], '852321', 'the row has the better code')
  t.strictSame(
    [2, 3, 4, 6, 7].map(i => verdicts[i]),
    [null, null, null, null, null],
    'rows without words, a code or both have no verdict',
  )
  const { stdout } = await enrich('--words', 'item', '--column', 'code', '--prefix', 'x ', '--excel', '--to', '2028')
  t.match(stdout, /^codes compared with words:\n {2}\w+ +\d$/m)
  t.match(read(), ',x 2028_change,x 2028_codes,x verdict,x better_code,x words_status,x words_code,')
  t.match(read(), /,"\t852321",\w+,"\t852321",/, 'Excel will read the codes as text')
})

t.test('thousands of rows keep their order; a text that is too long is cut and reported', async t => {
  const goods = ['smartphone', 'magnetic card', 'هاتف', 'pure-bred horse', 'qqzz']
  const items = Array.from({ length: 3_000 }, (_, i) => `${goods[i % goods.length]} model ${i}`)
  items[1_234] = `smartphone ${'very '.repeat(200)}good`
  const { enrich, read } = opened(t, `n,item\n${items.map((item, i) => `${i},"${item}"`).join('\n')}\n`)
  const { stdout } = await enrich('--words', 'item')
  t.match(stdout, /out\.csv: 3000 rows\n/)
  t.match(stdout, /^1 text has more than 500 characters; the rest was not read$/m)
  const lines = read().trimEnd().split('\n').slice(1)
  t.strictSame(
    lines.map(line => line.slice(0, line.indexOf(','))),
    items.map((_, i) => String(i)),
  )
  t.match(lines[1_234], `${items[1_234]},`, 'the cell itself is not cut')
})

t.test('a usage error is one sentence, and the exit code is 2', async t => {
  const { folder, enrich } = opened(t, 'item,hs_words_code\nx,1\n')
  for (const [args, message] of [
    [[], /--column or --words is missing:/],
    [['--words', 'goods'], /there is no column "goods"/],
    [['--words', 'item'], /there already is a column "hs_words_code"/],
    [['--words', 'item', '--candidates', '6'], /--candidates is "6"; it must be a whole number from 1 to 5/],
    [['--words', 'item', '--level', '5'], /--level must be 4, 6, 8 or 12/],
    [['--words', 'item', '--to', '2028'], /--to needs --column/],
    [['--column', 'item', '--candidates', '2'], /--candidates needs --words/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await enrich(...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.equal(stderr.trimEnd().split('\n').length, 1)
  }
  t.strictSame(readdirSync(folder), ['in.csv'])
})

t.test('after a signal, no file is left behind', async t => {
  const rows = Array.from({ length: 60_000 }, (_, i) => `magnetic card and smartphone number ${i} with a stripe`)
  const { folder } = opened(t, `item\n${rows.join('\n')}\n`)
  const env = { PATH: process.env.PATH ?? '', HSAPI_SNAPSHOT: snapshot }
  const child = spawn(process.execPath, [MAIN, 'enrich', 'in.csv', '--words', '1', '--out', 'out.csv'], { cwd: folder, env })
  await until('a file is started', () => readdirSync(folder).some(name => name.endsWith('.tmp')))
  child.kill('SIGINT')
  t.equal(await new Promise(done => child.on('close', done)), 2)
  t.strictSame(readdirSync(folder), ['in.csv'])
})
