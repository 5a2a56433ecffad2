import { spawn } from 'node:child_process'
import t from 'tap'
import { checkOutcome, printItem } from '../../src/commands/classify.js'
import { builtSnapshot, MAIN, ROOT, type Run, run } from '../support/cli.js'
import { dataOf, fixtureCatalog, openService } from '../support/service.js'

const env = { HSAPI_SNAPSHOT: await builtSnapshot(t) }

/** Runs `hsapi classify` with these bytes on standard input. */
function piped(input: string | Buffer, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, 'classify', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  // the program may exit before it has read everything
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', data => {
    stdout += data
  })
  child.stderr.on('data', data => {
    stderr += data
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

t.test('--json is exactly the data of the HTTP response', async t => {
  const { get, auth } = await openService(t)
  const arabic = 'هواتف ذكية'
  for (const [args, query] of [
    [['Smart phones, 128 GB'], 'text=Smart+phones,+128+GB'],
    [[arabic, '--limit', '2'], `text=${encodeURIComponent(arabic)}&limit=2`],
    [['magnetic cards', '--level', '4', '--within', '8523,8517'], 'text=magnetic+cards&level=4&within=8523,8517'],
    [['smart phone', '--code', '851713'], 'text=smart+phone&hs_code=851713'],
  ] as const) {
    const answer = await get(`/api/v1/classify?${query}`, auth)
    const { code, stdout, stderr } = await run(['classify', ...args, '--json'], env)
    t.not(code, 2, stderr)
    t.ok(JSON.parse(stdout).items[0].candidates.length > 0, query)
    t.equal(stdout, `${dataOf(answer)}\n`)
  }
})

t.test('without --json, a table has status, codes, scores and rates, in either language', async t => {
  const english = await run(['classify', 'smart phones', '--limit', '2'], env)
  t.equal(english.code, 0, english.stderr)
  t.match(
    english.stdout,
    /^smart phones\n(?:clear|choose|ask): .*\ncode +score +rate +description\n851713 +[01]\.\d{3} +\d+ % +Smartphones/,
  )
  const arabic = await run(['classify', 'smart phones', '--lang', 'ar'], env)
  t.match(arabic.stdout, /851713 .* هواتف ذكية/)
})

t.test('each argument is a text, and so is each line of standard input', async t => {
  const two = await run(['classify', 'smart phones', 'magnetic cards'], env)
  t.match(two.stdout, /^smart phones\n[\s\S]*\n\nmagnetic cards\n/)
  t.notMatch(two.stderr, 'quotes')
  t.match(
    (await run(['classify', 'smart', 'phones'], env)).stderr,
    /these are 2 texts; put quotes around a text of several words/,
  )
  const { stdout, stderr } = await piped('\ufeffsmart phones\r\n\n  \nبطاقات ممغنطة', '-', '--json')
  const { items } = JSON.parse(stdout)
  t.strictSame(
    items.map(({ text }: { text: string }) => text),
    ['smart phones', 'بطاقات ممغنطة'],
    stderr,
  )
})

t.test('the exit code is 1 if the code contradicts the text or the text has no result', async t => {
  for (const written of ['8517.13', '010121']) {
    const { code, stdout, stderr } = await run(['classify', 'smart phones', '--code', written], env)
    const contradicts = stdout.includes(' contradicts the text')
    t.match(stdout, /^(?:851713|010121) (?:agrees with the text|is doubtful|contradicts the text)(?:; more likely: [\d, ]+)?$/m)
    t.equal(code, contradicts ? 1 : 0)
    t.equal(/^hsapi: the text contradicts 010121$/m.test(stderr), contradicts)
    t.equal(stderr.includes('8517.13 is read as 851713'), written === '8517.13')
  }
  const item = { text: 'a', status: 'choose' as const, candidates: [{ record: 0, score: 1, matched: [] }], question: undefined }
  const verdict = { status: 'contradicts' as const, against: [] }
  t.doesNotThrow(() => checkOutcome([{ ...item, verdict: undefined }], ''))
  t.throws(() => checkOutcome([{ ...item, verdict }], '0101'), { message: 'the text contradicts 0101' })
  t.throws(
    () =>
      checkOutcome(
        [
          { ...item, verdict },
          { ...item, verdict: undefined },
        ],
        '01',
      ),
    {
      message: '1 of 2 texts contradicts 01',
    },
  )
  const nothing = await run(['classify', 'qqzzqq\u001b', '--snapshot', env.HSAPI_SNAPSHOT])
  t.match(nothing, { code: 1, stderr: 'hsapi: no code was found for qqzzqq\\u001b\n' })
  t.match(nothing.stdout, /^qqzzqq\\u001b\nunknown: /)
  t.match(await run(['classify', 'qqzzqq', '--json'], env), { code: 1, stdout: /^\{"items":\[\{.*"status":"unknown"/ })
  t.equal((await run(['classify', 'qqzzqq', 'smart phones'], env)).code, 0, 'one of the texts has a result')
  t.equal((await run(['classify', 'smart phones', '--code', '999999'], env)).code, 1, 'the code does not exist')
})

t.test('a question is printed with the flags of each answer', async t => {
  const catalog = await fixtureCatalog()
  const question = {
    text: { en: 'Knitted?', ar: 'محبوك؟' },
    answers: [
      { text: { en: 'Yes', ar: 'نعم' }, within: ['6109'] },
      { text: { en: 'No', ar: 'لا' }, within: ['6205', '6206'] },
    ],
  }
  const candidates = [{ record: catalog.trie.find('851713'), score: 0.25, matched: ['shirt', 'قميص'] }]
  const item = { text: 'shirt', status: 'ask' as const, candidates, question, verdict: undefined }
  const printed = (language: 'en' | 'ar') => {
    const lines: string[] = []
    printItem(item, { catalog, view: undefined, language, code: '' }, line => lines.push(line))
    return lines
  }
  t.match(printed('en')[3], /^851713 +0\.250 +\d+ % +Smartphones \[shirt, قميص\]$/)
  t.strictSame(printed('en').slice(4), [
    'Knitted?',
    'to answer, run the command again with one of these:',
    '  --within 6109       Yes',
    '  --within 6205,6206  No',
  ])
  t.strictSame(printed('ar').slice(6), ['  --within 6109       نعم', '  --within 6205,6206  لا'])
})

t.test('a usage error prints one line and exits with 2', async t => {
  for (const [args, message] of [
    [[], /TEXT is missing/],
    [['a'], /^hsapi: TEXT must be a text of 2 to 500 characters/],
    [['smart phones', 'a'], /^hsapi: text 2: TEXT must be/],
    [['x'.repeat(501)], /^hsapi: TEXT must be/],
    [['phones', '--level', '5'], /--level must be 4, 6, 8 or 12/],
    [['phones', '--limit', '21'], /--limit must be a whole number from 1 to 20/],
    [['phones', '--within', '85,x'], /--within must be a code of 2 to 12 digits/],
    [['smart phones', 'key cards', '--within', '85,x'], /^hsapi: --within must be a code/],
    [['phones', '--code', 'x'], /"x" is not an HS code/],
    [['phones', '--lang', 'fr'], /--lang is "fr"/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await run(['classify', ...args, '--snapshot', env.HSAPI_SNAPSHOT])
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
    t.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  }
  for (const [input, message] of [
    ['smart phones\n\na\n', /line 3: TEXT must be/],
    [' \n', /standard input has no text/],
    [Buffer.from([0x61, 0xff, 0x0a]), /standard input is not valid UTF-8/],
    [Buffer.from('phones é').subarray(0, -1), /standard input is not valid UTF-8/],
    ['phone\n'.repeat(10_001), /more than 10000 lines; "hsapi enrich FILE --words COLUMN"/],
    ['phone '.repeat(4_000_000), /more than 10000 lines/],
  ] as const) {
    const { code, stdout, stderr } = await piped(input, '-')
    t.equal(code, 2, String(message))
    t.match(stderr, message)
    t.equal(stdout, '')
  }
})
