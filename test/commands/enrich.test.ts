import { execFile, spawn } from 'node:child_process'
import { createWriteStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import t from 'tap'
import { readSheetCells } from '../../src/tables/xlsx.js'
import { builtSnapshot, MAIN, type Run, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'
import { until } from '../support/until.js'

const snapshot = await builtSnapshot(t)
const ADDED = 'hs_status,hs_code,hs_description_en,hs_description_ar,hs_rate,hs_candidates'

/** A folder with the table, and a function that runs the command there. */
function opened(t: Parameters<typeof temporaryDirectory>[0], content: string, name = 'in.csv') {
  const folder = temporaryDirectory(t)
  writeFileSync(join(folder, name), content)
  const enrich = (...args: string[]): Promise<Run> => run(['enrich', '--snapshot', snapshot, ...args], {}, folder)
  return { folder, enrich, read: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

t.test('six columns are added to each row, and the summary counts the results', async t => {
  const table = `item,HS Code
card,852321
"horse, ""pure""",101.21

old phone,8517.12
=1+1,8.5E+11
,
`
  const { enrich, read } = opened(t, table)
  const { code, stdout, stderr } = await enrich('in.csv', '--column', 'hs code', '--out', 'out.csv')
  t.equal(code, 0, stderr)
  t.equal(
    read('out.csv'),
    `item,HS Code,${ADDED}
card,852321,found,852321,Cards with a magnetic stripe,بطاقات بشريط مغناطيسي,5,
"horse, ""pure""",101.21,normalised,010121,Pure-bred horses for breeding,خيول أصيلة للتربية,0,

old phone,8517.12,unknown,,,,,851713 851718
=1+1,8.5E+11,invalid,,,,,
,,invalid,,,,,
`,
  )
  t.equal(stdout, 'out.csv: 5 rows\n  invalid     2\n  found       1\n  normalised  1\n  unknown     1\n')
  t.equal(stderr, '', 'no progress is shown without a terminal')
  t.equal(read('in.csv'), table, 'the input is unchanged')
})

t.test('separator, line ends and byte-order mark stay unchanged', async t => {
  const { enrich, read } = opened(t, '\ufeff"item; no";code\r\na;852321\r\n')
  t.equal((await enrich('in.csv', '--column', '2', '--out', 'out.csv', '--prefix', 'x ')).code, 0)
  t.equal(
    read('out.csv'),
    '\ufeff"item; no";code;x status;x code;x description_en;x description_ar;x rate;x candidates\r\n' +
      'a;852321;found;852321;Cards with a magnetic stripe;بطاقات بشريط مغناطيسي;5;\r\n',
  )
})

t.test('--separator overrides the separator that the header suggests', async t => {
  const { enrich, read } = opened(t, 'item, size, colour;code\ncard, small, red;852321\n')
  const args = ['in.csv', '--column', 'code', '--out', 'out.csv']
  t.match((await enrich(...args)).stderr, /there is no column "code"/)
  t.equal((await enrich(...args, '--separator', 'semicolon')).code, 0)
  t.match(read('out.csv'), /^"?card, small, red"?;852321;found;852321;Cards/m)
})

t.test(
  '--edition reads older codes, --lines gives the line of a code that has only one, --excel keeps codes as text',
  async t => {
    const { enrich, read } = opened(t, 'code\n851712\n852310\n0101\n852351\n\n')
    const args = ['in.csv', '--column', 'code', '--out', 'out.csv']
    t.equal((await enrich(...args, '--edition', '2017', '--lines', '--excel')).code, 0)
    const rows = read('out.csv').split('\n')
    t.equal(rows[0], `\ufeffcode,${ADDED}`)
    t.match(rows[1], /^851712,ambiguous,,,,,851713 851718$/)
    t.match(rows[2], /^852310,moved,"\t852329000000",Magnetic .*,5,"\t852329"$/)
    t.match(rows[3], /^0101,found,"\t0101",/, 'a code with several lines is kept')
    t.match(rows[4], /^852351,found,"\t852351000000",/)
    t.match(rows[5], /^,invalid,/, 'in a table of one column, a blank line is a row')
    const again = await enrich('out.csv', '--column', 'hs_code', '--out', 'again.csv', '--prefix', 'x_')
    t.match(again.stdout, /normalised +3/, 'codes written for Excel can be read again')
  },
)

t.test('cells stay unchanged, even formulas; with --excel, added text is not run as a formula', async t => {
  const live = await builtSnapshot(t, dataset => {
    const file = join(dataset, 'chapters', '01.csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace(',Donkeys,', ',=1+1,'))
  })
  const { enrich, read } = opened(t, 'code,note\n010130,=2+2\n010130,-5\n')
  const args = ['in.csv', '--column', 'code', '--snapshot', live, '--out']
  t.equal((await enrich(...args, 'excel.csv', '--excel')).code, 0)
  t.match(read('excel.csv').split('\n').slice(1), [
    /^010130,=2\+2,found,"\t010130",'=1\+1,/,
    /^010130,-5,found,"\t010130",'=1\+1,/,
  ])
  t.equal((await enrich(...args, 'plain.csv')).code, 0)
  t.match(read('plain.csv').split('\n')[1], /^010130,=2\+2,found,010130,=1\+1,/)
})

t.test('--to marks the rows that change in the next edition', async t => {
  const { enrich, read } = opened(t, 'code\n851718\n85232900\n903110\n851713\n8517\n851712\n')
  const args = ['in.csv', '--column', 'code', '--out', 'out.csv']
  const { stdout, stderr, code } = await enrich(...args, '--to', '2028')
  t.equal(code, 0, stderr)
  const rows = read('out.csv').split('\n')
  t.equal(rows[0], `code,${ADDED},hs_2028_change,hs_2028_codes`)
  for (const [i, end] of [
    [1, ',split,851718 851716'],
    [2, ',moved,852328'],
    [3, ',scope,903110'],
    [4, ',none,851713'],
    [5, ',,'],
    [6, ',unknown,,,,,851713 851718,,'],
  ] as const)
    t.ok(rows[i]?.endsWith(end), rows[i])
  t.match(stdout, /^HS 2028 changes the codes of 3 rows \(provisional\)$/m)
  const refused = await enrich('in.csv', '--column', 'code', '--out', 'x.csv', '--to', '2027')
  t.equal(refused.code, 2)
  t.match(refused.stderr, /--to must be 2028\./)
  t.match(
    (await enrich('in.csv', '--column', 'code', '--out', 'x.csv', '--edition', '2028')).stderr,
    /--edition must be 2022, 2017 or 2012/,
  )
})

t.test('XLSX is read and written: codes are text, numbers and dates keep their type', async t => {
  const { folder, enrich, read } = opened(t, 'item,code,n\n card ,852321,007\n\nhorse,10121,\n')
  t.equal((await enrich('in.csv', '--column', 'code', '--out', 'a.xlsx')).code, 0)
  t.strictSame(await readSheetCells(join(folder, 'a.xlsx')), [
    ['item', 'code', 'n', ...ADDED.split(',')],
    [' card ', '852321', '007', 'found', '852321', 'Cards with a magnetic stripe', 'بطاقات بشريط مغناطيسي', 5, null],
    new Array(9).fill(null),
    ['horse', '10121', null, 'normalised', '010121', 'Pure-bred horses for breeding', 'خيول أصيلة للتربية', 0, null],
  ])
  const { default: writeSheet } = await import('write-excel-file/node')
  const day = { value: new Date('2026-05-04'), type: Date, format: 'dd/mm/yyyy' }
  const moment = { value: new Date('2026-05-04T12:30:00Z'), type: Date, format: 'dd/mm/yyyy hh:mm' }
  await writeSheet([
    ['code', 'a', 'b', 'c', 'd'],
    [852321, 1.5, true, day, moment],
    [10121, -3, false, null, null],
  ]).toFile(join(folder, 'typed.xlsx'))
  const { stdout, stderr } = await enrich('typed.xlsx', '--column', '1', '--out', 'b.xlsx')
  t.match(stdout, /b\.xlsx: 2 rows/, stderr)
  const [, first = [], second = []] = await readSheetCells(join(folder, 'b.xlsx'))
  t.strictSame(first.slice(0, 7), [852321, 1.5, true, day.value, moment.value, 'found', '852321'])
  t.strictSame(second.slice(0, 7), [10121, -3, false, null, null, 'normalised', '010121'])
  t.equal((await enrich('typed.xlsx', '--column', '1', '--out', 'b.csv')).code, 0)
  t.match(read('b.csv'), '\n852321,1.5,true,2026-05-04,2026-05-04 12:30:00,found,852321,')
})

t.test('a usage error is one sentence and exit code 2, and nothing is written', async t => {
  const { folder, enrich } = opened(t, 'a,code,CODE,hs_code\nx,852321,1,2\ny,852321\n')
  writeFileSync(join(folder, 'ok.csv'), 'code\n1\n')
  writeFileSync(join(folder, 'quote.csv'), 'code,b\n1,"2\n')
  const before = readdirSync(folder).sort()
  const to = (out: string, ...more: string[]) => ['--column', '1', '--out', out, ...more]
  for (const [args, message] of [
    [['in.csv', '--out', 'o.csv'], /--column or --words is missing/],
    [['in.csv', '--column', '1'], /--out is missing/],
    [['in.csv', ...to('o.csv', '--prefix', 'x_')], /in\.csv:3: the row has 2 fields, the header 4; text that contains a comma/],
    [['in.csv', ...to('o.csv')], /there already is a column "hs_code"; choose other names with --prefix/],
    [['in.csv', '--column', 'code', '--out', 'o.csv'], /2 columns are called "code"/],
    [['in.csv', '--column', 'hs', '--out', 'o.csv'], /there is no column "hs"; there are "a", "code"/],
    [['ok.csv', ...to('o.csv', '--edition', '1996')], /--edition must be 2022, 2017 or 2012/],
    [['ok.csv', ...to('o.csv', '--separator', '|')], /--separator is "\|"/],
    [['quote.csv', ...to('o.csv')], /quote\.csv:2: the row that begins here is not valid CSV/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await enrich(...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.equal(stderr.trimEnd().split('\n').length, 1)
  }
  t.strictSame(readdirSync(folder).sort(), before)
})

/** Enough rows to show that rows are not kept in memory. They take a few seconds. */
const MANY = 150_000

t.test('a long file takes no more memory than a short one, and a signal leaves no partial file', async t => {
  const { folder } = opened(t, '')
  const file = createWriteStream(join(folder, 'long.csv'))
  file.write('item,code,note\n')
  for (let i = 0; i < MANY; i++) file.write(`item ${i},${852321 + (i % 60)},"some words, and more of them ${i}"\n`)
  file.end()
  await finished(file)
  const args = ['--max-old-space-size=40', MAIN, 'enrich', 'long.csv', '--column', 'code', '--out', 'out.csv']
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', HSAPI_SNAPSHOT: snapshot } }

  const child = spawn(process.execPath, args, options)
  await until('a file is started', () => readdirSync(folder).some(name => name.endsWith('.tmp')))
  child.kill('SIGINT')
  t.equal(await new Promise(done => child.on('close', done)), 2)
  t.strictSame(readdirSync(folder).sort(), ['in.csv', 'long.csv'])

  const stdout = await new Promise<string>((resolve, reject) =>
    execFile(process.execPath, args, options, (error, out) => (error === null ? resolve(out) : reject(error))),
  )
  t.match(stdout, `out.csv: ${MANY} rows\n`)
  t.ok(existsSync(join(folder, 'out.csv')))
})
