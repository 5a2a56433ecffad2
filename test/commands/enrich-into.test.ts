import { existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtSnapshot, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const snapshot = await builtSnapshot(t)
const folder = temporaryDirectory(t)
const file = join(folder, 'products.csv')
const out = join(folder, 'filled.csv')

async function into(text: string, ...args: string[]) {
  writeFileSync(file, text)
  const result = await run(['enrich', file, '--snapshot', snapshot, '--out', out, '--force', ...args])
  return { ...result, text: existsSync(out) ? readFileSync(out, 'utf8') : '' }
}

const PRODUCTS =
  '\ufeffSKU;"Title, short";HS code;Origin;"Customs"\r\n' +
  'A;"Smart""phone"" smartphones";;;\r\n' +
  '\r\n' +
  'B;smartphones;8523.21;IR;"kept; as it is"\r\n' +
  'C;?;"";;'

t.test('named columns are filled, filled cells are kept, and nothing else changes', async t => {
  const args = ['--words', 'Title, short', '--into', 'code=HS code,origin=Origin,short=Customs', '--origin', 'cn']
  const { code, stdout, stderr, text } = await into(PRODUCTS, ...args)
  t.equal(code, 0, stderr)
  const lines = text.split('\r\n')
  t.equal(lines[0], '\ufeffSKU;"Title, short";HS code;Origin;"Customs";hs_status;hs_certainty')
  t.match(lines[1], /^A;"Smart""phone"" smartphones";851713;CN;Smartphones;(?:clear|choose);0\.\d+$/)
  t.equal(lines[2], '')
  t.match(lines[3], /^B;smartphones;8523\.21;IR;"kept; as it is";(?:clear|choose);/)
  t.equal(lines[4], 'C;?;"";CN;;unknown;')
  t.match(stdout, /3 rows\n4 cells filled, 3 left unchanged/)
  const again = await into(PRODUCTS, ...args, '--column', 'HS code', '--overwrite')
  t.match(again.text.split('\r\n')[3], /^B;smartphones;852321;CN;"[^";]+";normalised;$/)
})

t.test('a code that the row keeps decides the other fields, even if the words propose another one', async t => {
  const rows = 'title,hs,s\nsmartphones,8523.21,\n?,852321,\nsmartphones,see list,\n'
  const args = ['--words', 'title', '--into', 'code=hs,short=s']
  const [, kept, unread, unknown] = (await into(rows, ...args)).text.split('\n')
  t.match(kept, /^smartphones,8523\.21,Cards[^,]*,(?:clear|choose),/)
  t.match(unread, /^\?,852321,Cards[^,]*,unknown,$/)
  t.match(unknown, /^smartphones,see list,,(?:clear|choose),/)
  t.match((await into(rows, ...args, '--overwrite')).text.split('\n')[1], /^smartphones,851713,Smartphones,/)
})

t.test('with --country, rates and decisions of the country are used', async t => {
  const decisions = join(folder, 'sa.csv')
  writeFileSync(decisions, 'sku,gtin,text,code,country,who,day,why\nA,,,841510,SA,Ali,2026-11-01,\n')
  writeFileSync(file, 'id,title,hs,r\nA,smartphones,,\n')
  const filled = async (...args: string[]) => {
    const { stderr } = await run(['enrich', file, '--out', out, '--force', '--words', 'title', '--sku', 'id', ...args], {
      HSAPI_DECISIONS: decisions,
    })
    t.notMatch(stderr, /Usage/)
    return readFileSync(out, 'utf8').split('\n')[1]
  }
  const into = ['--into', 'code=hs,rate=r']
  t.match(await filled(...into), /^A,smartphones,851713,0,(?:clear|choose),/)
  t.equal(await filled(...into, '--country', 'SA'), 'A,smartphones,841510,15,decided,1')
  t.match(await filled('--country', 'SA'), /^A,smartphones,,,decided,841510,.*,15,1,,$/)
  const codes = await run(['enrich', file, '--out', out, '--force', '--column', 'hs', '--country', 'XX'])
  t.match(codes, { code: 2, stderr: /--country must be/ })
})

t.test('an existing file is replaced only with --force', async t => {
  writeFileSync(file, PRODUCTS)
  writeFileSync(out, 'mine')
  const args = ['--words', 'Title, short', '--into', 'code="HS code"', '--out', out]
  const refused = await run(['enrich', file, '--snapshot', snapshot, ...args])
  t.match(refused, { code: 2, stderr: /the file already exists; --force replaces it/ })
  t.equal(readFileSync(out, 'utf8'), 'mine')
  const { code, stderr } = await run(['enrich', file, '--snapshot', snapshot, ...args, '--force'])
  t.equal(code, 0, stderr)
  t.match(readFileSync(out, 'utf8'), /;851713;/, 'the name of a column may be in quotes')
})

t.test('the input is not replaced, even with --force', async t => {
  writeFileSync(file, PRODUCTS)
  const link = join(folder, 'link.csv')
  linkSync(file, link)
  for (const same of [file, link]) {
    const args = ['--words', 'Title, short', '--into', 'code=HS code', '--out', same, '--force']
    t.match(await run(['enrich', file, '--snapshot', snapshot, ...args]), { code: 2, stderr: /this is the input itself/ })
    t.equal(readFileSync(file, 'utf8'), PRODUCTS)
  }
})

t.test('codes fill descriptions, rates and units, in the language and length that are asked for', async t => {
  const rows = 'code,d,r,u,s\n851713,,,,\n8523 21,,,,\n9999,,,,\n852321000000,,,,\n'
  const { text, stderr } = await into(
    rows,
    '--column',
    '1',
    '--into',
    'description=d,rate=r,unit=u,short=s',
    '--lang',
    'ar',
    '--short-max',
    '12',
  )
  t.match(text.split('\n')[1], /^851713,هواتف ذكية,0,u,هواتف ذكية,found,$/, stderr)
  t.match(text.split('\n')[3], /^9999,,,,,unknown,$/)
  const [, , subheading, , line] = text.split('\n').map(row => row.split(','))
  t.ok(subheading?.[4])
  t.equal(line?.[4], subheading?.[4], 'a line that repeats a code has the short description of that code')
})

t.test('a usage error names the problem, and nothing is written', async t => {
  const bad = join(folder, 'none.csv')
  for (const [args, message] of [
    [['--words', 'a', '--into', 'HS'], /--into is "HS"; it must be FIELD=COLUMN/],
    [['--words', 'a', '--into', 'unknown=c,code=b'], /--into is "unknown=c,code=b"; it must be FIELD=COLUMN/],
    [['--words', 'a', '--into', 'code='], /no column for code/],
    [['--words', 'a', '--into', 'code=b,code=c'], /code twice/],
    [['--words', 'a', '--into', 'code=b,short=b'], /fills the column of short twice/],
    [['--words', 'a', '--into', 'code=none'], /there is no column "none"/],
    [['--words', 'none', '--into', 'code=b'], /there is no column "none"/],
    [['--words', 'a', '--into', 'code=a'], /would fill the column of --words/],
    [['--words', 'a', '--into', 'origin=b'], /--origin CC and --into origin=COLUMN must be used together/],
    [['--words', 'a', '--into', 'origin=b', '--origin', 'China'], /--origin is "China"/],
    [['--words', 'a', '--into', 'origin=b', '--origin', 'XX'], /--origin is "XX"; it must be an ISO country code/],
    [['--words', 'a', '--overwrite'], /--overwrite needs --into/],
    [['--words', 'a', '--into', 'code=b', '--excel'], /--excel cannot be combined with --into/],
    [['--words', 'a', '--into', 'short=b', '--short-max', '5'], /--short-max/],
  ] as [string[], RegExp][]) {
    writeFileSync(file, 'a,b,c\nx,,\n')
    const { code, stderr } = await run(['enrich', file, '--snapshot', snapshot, '--out', bad, ...args])
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.notOk(existsSync(bad))
  }
})

t.test('with --words, decisions are found by SKU and GTIN, with and without --into', async t => {
  const decisions = join(folder, 'decisions.csv')
  writeFileSync(
    decisions,
    'sku,gtin,text,code,country,who,day,why\nA,,,852321,,Ali,2026-11-01,\n,4006381333931,,010130,,Ali,2026-11-01,\nC,,,999999,,Ali,2026-11-01,\n',
  )
  writeFileSync(file, 'id,ean,title,hs\nA,,smartphones,\nB,4006381333931,smartphones,\nC,,smartphones,\nD,123,smartphones,\n')
  const enriched = async (env: Record<string, string>, ...args: string[]) => {
    const { code, stderr } = await run(['enrich', file, '--snapshot', snapshot, '--out', out, '--force', ...args], env)
    t.equal(code, 0, stderr)
    return readFileSync(out, 'utf8').split('\n')
  }
  const words = ['--words', 'title', '--sku', 'id', '--gtin', 'ean']
  const lines = await enriched({ HSAPI_DECISIONS: decisions }, ...words)
  t.match(lines[1], /^A,,smartphones,,decided,852321,/)
  t.match(lines[2], /^B,4006381333931,smartphones,,decided,010130,/)
  t.match(lines[3], /^C,,smartphones,,decided: unknown_code,,/)
  t.match(lines[4], /^D,123,smartphones,,(?:clear|choose),851713,/)
  const filled = await enriched({ HSAPI_DECISIONS: decisions }, ...words, '--into', 'code=hs')
  t.match(filled[1], /^A,,smartphones,852321,decided,1$/)
  t.match(filled[2], /^B,4006381333931,smartphones,010130,decided,1$/)
  t.match(filled[3], /^C,,smartphones,,decided: unknown_code,/, 'a decision that no longer applies fills nothing')
  writeFileSync(file, 'id,ean,title,hs\n,,smartphones,\n,4006381333931,smartphones,\n')
  const byGtin = await enriched({ HSAPI_DECISIONS: decisions }, ...words, '--into', 'code=hs')
  t.match(byGtin[1], /^,,smartphones,851713,/)
  t.match(byGtin[2], /^,4006381333931,smartphones,010130,decided,1$/)
  await enriched({ HSAPI_DECISIONS: decisions }, '--column', 'title', '--sku', 'id', '--into', 'code=hs')
  t.strictSame(
    await enriched({}, ...words),
    await enriched({}, '--words', 'title'),
    'item numbers without decisions change nothing',
  )
  const alone = await run(['enrich', file, '--snapshot', snapshot, '--out', out, '--force', '--column', 'hs', '--sku', 'id'])
  t.match(alone, { code: 2, stderr: /--sku needs --words or --into/ })
})
