import t from 'tap'
import { builtSnapshot, type Run, run } from '../support/cli.js'
import { dataOf, openService, temporaryDirectory } from '../support/service.js'

const snapshot = await builtSnapshot(t)
const lookup = (...args: string[]): Promise<Run> => run(['lookup', '--snapshot', snapshot, ...args])

t.test('--json is exactly the data of the HTTP response', async t => {
  const { get, auth } = await openService(t)
  for (const [code, include] of [
    ['85', ''],
    ['01012910', 'rate'],
    ['851713000000', 'editions,path,rate'],
    ['0107', 'unit'],
    ['852329', 'controls,unit'],
    ['851713', 'examples,lines,siblings,children,path'],
  ] as const) {
    const answer = await get(`/api/v1/hs-codes/${code}?include=${include}`, auth)
    const { code: exit, stdout, stderr } = await lookup(code, '--json', '--include', include)
    t.equal(exit, 0, stderr)
    t.equal(stdout, `${dataOf(answer)}\n`)
  }
})

t.test("a code is shown with its path, its rate and the rate's source, the codes below, and its earlier codes", async t => {
  const { stdout, stderr, code } = await lookup('851713')
  t.equal(code, 0, stderr)
  t.equal(
    stdout,
    `851713
Smartphones
هواتف ذكية
in     85    Electrical machines and equipment
       8517  Telephones and network equipment
rate   0 %, set for 8517
       published: a published list (2026-02-01)
unit   number of items (u, UN/ECE H87)
below  1 code one level down, 1 line of 12 digits
was    851712 in 2017
       851712 in 2012
`,
  )
  t.equal(stderr, '')
  t.match((await lookup('851718')).stdout, /^becomes {2}851718, 851716 in 2028, provisional$/m)
  t.match(
    (await lookup('852329')).stdout,
    /^controls {2}prohibited \(GCC; published\): Tapes may not be imported\n {10}permit \(GCC, Ministry of Media; reported\): Recorded/m,
  )
  const line = (await lookup('851713000000', '--lang', 'ar')).stdout
  t.match(line, /in {8}85 {8}آلات ومعدات كهربائية\n/)
  t.match(line, /below {5}nothing: goods are declared on this line\n/)
  t.match(line, /was {7}851712 in 2017/, 'a line has the history of its subheading')
  t.match((await lookup('010719', '--lang', 'ar')).stdout, /^unit {3}كيلوجرام \(kg, UN\/ECE KGM\), assumed$/m)
  const chapter = (await lookup('85')).stdout
  t.match(chapter, /rate {3}5 %\n.*general rate.*\n +lines below have 0 to 5 %\n/)
  t.notMatch(chapter, /^(?:in|was|unit|becomes)/m)
})

t.test('codes are read as people write them, and a corrected code is printed', async t => {
  for (const [written, code] of [
    ['8523.21', '852321'],
    ['10121', '010121'],
    ['٨٥٢٣٢١', '852321'],
  ] as const) {
    const { stdout, stderr, code: exit } = await lookup(written, '--json')
    t.equal(exit, 0)
    t.equal(JSON.parse(stdout).hs_code, code, written)
    t.equal(stderr, `hsapi: ${written} is read as ${code}\n`)
  }
})

t.test('an unknown code exits with 1; standard error names the nearest code, and related codes of other editions', async t => {
  t.strictSame(await lookup('852399'), {
    code: 1,
    stdout: '',
    stderr: 'hsapi: HS code 852399 is not in the dataset\nnearest   8523  Media for recording sound or data\n',
  })
  t.strictSame(await lookup('8517.12'), {
    code: 1,
    stdout: '',
    stderr:
      'hsapi: HS code 8517.12 is not in the dataset; an earlier edition had it\n' +
      'moved_to  851713  Smartphones\n' +
      'moved_to  851718  Telephones other than smartphones\n' +
      'nearest   8517  Telephones and network equipment\n',
  })
  t.strictSame(await lookup('8517.16'), {
    code: 1,
    stdout: '',
    stderr:
      'hsapi: HS code 8517.16 is not in the dataset; HS 2028 has it\n' +
      'comes_from  851718  Telephones other than smartphones\n' +
      'comes_from  852351  Flash memory cards and drives\n' +
      'nearest   8517  Telephones and network equipment\n',
  })
  t.strictSame(await lookup('77'), {
    code: 1,
    stdout: '',
    stderr: 'hsapi: HS code 77 is not in the dataset\n',
  })
})

t.test('a usage error exits with 2', async t => {
  for (const [args, message] of [
    [['phone'], /"phone" is not an HS code\. It contains characters other than digits\./],
    [[], /CODE is missing/],
    [['85', '17'], /unexpected argument "17"/],
    [['85', '--lang', 'fr'], /--lang is "fr"; it must be en or ar/],
    [['85', '--include', 'all'], /--include must be one or more of path, editions, rate/],
    [['85', '--snapshot', '/nowhere'], /\/nowhere: there is no snapshot/],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await lookup(...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message)
  }
})

t.test("by default, the package's snapshot is used, from any working directory", async t => {
  const { stderr, stdout } = await run(['lookup', '85', '--json'], {}, temporaryDirectory(t))
  t.ok(stdout.startsWith('{"hs_code":"85"') || /dist\/hs\.snapshot: there is no snapshot/.test(stderr), stderr)
})
