import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { printSample, type SampleOptions, sampleRows } from '../../../build/checks/sample.js'
import { readDataset } from '../../../build/dataset/read.js'
import { row } from '../../support/rows.js'
import { FIXTURE } from '../../support/service.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const two = (n: number) => String(n).padStart(2, '0')

/** 10 headings and 100 subheadings. Each subheading has an 8-digit code with the same words and two lines below it. */
const ROWS = ['01', '02'].flatMap(chapter => [
  row(chapter),
  ...Array.from({ length: 5 }, (_, h) => `${chapter}${two(h + 1)}`).flatMap(heading => [
    row(heading),
    ...Array.from({ length: 10 }, (_, s) => `${heading}${two(s + 10)}`).flatMap(code => [
      row(code),
      row(`${code}00`, { description_en: `Goods of ${code}`, description_ar: `بضائع ${code}` }),
      row(`${code}000001`),
      row(`${code}000002`),
    ]),
  ]),
])
const codes = (options: SampleOptions, rows = ROWS) => sampleRows(rows, options).map(({ row: { hs_code } }) => hs_code)

t.test('a seed draws the same rows every time, in any order of the input, and another seed draws other rows', async t => {
  const drawn = codes({ seed: 7, count: 50 })
  t.strictSame(codes({ seed: 7, count: 50 }), drawn)
  t.strictSame(codes({ seed: 7, count: 50 }, ROWS.toReversed()), drawn)
  t.notSame(codes({ seed: 8, count: 50 }), drawn)
})

t.test('no row is drawn twice; chapters and duplicates are never drawn', async t => {
  const all = codes({ seed: 1, count: 10_000 })
  t.equal(all.length, 310)
  t.equal(new Set(all).size, 310)
  t.notOk(all.some(code => code.length === 2 || code.length === 8))
})

t.test('headings, subheadings and lines are drawn in proportion to their numbers', async t => {
  const drawn = codes({ seed: 3, count: 31 })
  const ofLength = (digits: number) => drawn.filter(code => code.length === digits).length
  t.strictSame([4, 6, 12].map(ofLength), [1, 10, 20])
  t.equal(codes({ seed: 3, count: 32 }).length, 32, 'rounding does not change the number of drawn rows')
  t.strictSame(codes({ seed: 3, count: 5 }, []), [])
})

t.test('the draw can be limited to chapters', async t => {
  const drawn = codes({ seed: 5, count: 40, chapters: ['02', '24'] })
  t.equal(drawn.length, 40)
  t.ok(drawn.every(code => code.startsWith('02')))
})

t.test('a row is printed with its parents and siblings', async t => {
  const { rows } = await readDataset(FIXTURE)
  const sample = sampleRows(rows, { seed: 1, count: 1000 }).find(drawn => drawn.row.hs_code === '010130')
  t.ok(sample)
  const text = printSample(sample as NonNullable<typeof sample>)
  t.match(text, /^010130 {2}chapters\/01\.csv:8\n {2}en Donkeys\n {2}ar حمير\n {2}keywords asses\n/)
  t.match(text, /above {2}01 .*\n.*above {2}0101 /)
  t.match(text, /beside 010129 .*Horses other than/)
  t.notMatch(text, /beside 010130/)
})

t.test('the script prints the sample and refuses invalid options', async t => {
  const run = (...args: string[]) => [`${ROOT}scripts/sample-dataset.mjs`, '--dataset', FIXTURE, ...args]
  const print = () => execFileSync(process.execPath, run('--seed', '4', '--count', '9'), { encoding: 'utf8' })
  t.equal(print(), print())
  t.equal(print().match(/^\d{4,12} {2}chapters/gm)?.length, 9)
  for (const bad of [[], ['--seed', 'x'], ['--seed', '1', '--chapters', '1'], ['--seed', '1', '--count', '-3'], ['--tree']]) {
    const { status, stderr } = spawnSync(process.execPath, run(...bad), { encoding: 'utf8' })
    t.equal(status, 2, bad.join(' '))
    t.match(stderr, /usage: npm run dataset:sample/)
  }
})
