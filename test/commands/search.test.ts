import t from 'tap'
import { table, widthOf, wrap } from '../../src/commands/terminal.js'
import { builtSnapshot, run } from '../support/cli.js'
import { dataOf, openService } from '../support/service.js'

const env = { HSAPI_SNAPSHOT: await builtSnapshot(t) }

t.test('--json is exactly the data of the HTTP response', async t => {
  const { get, auth } = await openService(t)
  for (const [args, query] of [
    [['smart', 'phones', '--include', 'path,rate'], 'q=smart+phones&include=path,rate'],
    [['iphone', '--include', 'matched,examples'], 'q=iphone&include=matched,examples'],
    [['هواتف', 'ذكية'], `q=${encodeURIComponent('هواتف ذكية')}`],
    [['phones', '--level', '12', '--limit', '1', '--within', '8517'], 'q=phones&level=12&limit=1&within=8517'],
  ] as const) {
    const answer = await get(`/api/v1/search?${query}`, auth)
    const { code, stdout, stderr } = await run(['search', ...args, '--json'], env)
    t.equal(code, 0, stderr)
    t.ok(JSON.parse(stdout).length > 0, query)
    t.equal(stdout, `${dataOf(answer)}\n`)
  }
})

t.test('without --json, a table in either language is printed, with the number of further results', async t => {
  const english = await run(['search', 'key', 'cards', '--limit', '1'], env)
  t.match(
    english.stdout,
    /^code {4}rate {2}description\n852321 {3}5 % {2}Cards with a magnetic stripe\n1 of \d+; --limit shows more\n$/,
  )
  const arabic = await run(['search', 'key', 'cards', '--limit', '1', '--lang', 'ar'], env)
  t.match(arabic.stdout, '852321   5 %  بطاقات بشريط مغناطيسي\n')
})

t.test('the exit code is 1 if nothing is found, and 2 for a usage error', async t => {
  t.strictSame(await run(['search', 'qq\u001b', 'zzqq', '--snapshot', env.HSAPI_SNAPSHOT]), {
    code: 1,
    stdout: '',
    // the control character is escaped
    stderr: 'hsapi: nothing was found for qq\\u001b zzqq\n',
  })
  const json = await run(['search', 'qqzzqq', '--json'], env)
  t.match(json, { code: 1, stdout: '[]\n' })
  for (const [args, message] of [
    [['search'], /WORDS is missing/],
    [['search', 'a'], /WORDS must have at least 2 characters/],
    [['search', 'ab', '--level', '5'], /--level must be 2, 4, 6, 8, 10 or 12/],
    [['search', 'ab', '--within', '851'], /--within must be a code of 2, 4 or 6 digits/],
    [['search', 'ab', '--limit', 'x'], /--limit must be a whole number from 1 to 50/],
    [['search', 'ab', '--colour'], /--colour/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await run(args, env)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
  }
})

t.test('columns stay aligned: combining marks take no room, and only the last column wraps', async t => {
  t.equal(widthOf('هاتف'), 4)
  t.equal(widthOf('هَاتِفٌ'), 4, 'combining marks stay with their letters')
  t.equal(widthOf('電話'), 4)
  t.strictSame(wrap('one two three', 7), ['one two', 'three'])
  t.strictSame(wrap('extraordinary', 5), ['extraordinary'])
  const columns = [{ title: 'a' }, { title: 'b', right: true }, { title: 'c' }]
  const rows = [
    ['هَاتِفٌ', '5', 'one two three four five six'],
    ['x', '10', ''],
  ]
  t.strictSame(table(columns, rows, 30), ['a      b  c', 'هَاتِفٌ   5  one two three four', '          five six', 'x     10'])
})
