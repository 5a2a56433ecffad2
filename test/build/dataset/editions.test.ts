import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkDataset } from '../../../build/checks/check.js'
import { buildEditions } from '../../../build/dataset/editions.js'
import { buildNextEdition } from '../../../build/dataset/next-edition.js'
import { readDataset } from '../../../build/dataset/read.js'
import { edition } from '../../../src/questions/editions.js'
import type { Refusal } from '../../../src/questions/refusal.js'
import { catalogOf, FIXTURE, temporaryDirectory } from '../../support/service.js'

async function withEditions(t: Test, text: string | undefined, file = 'editions.csv'): Promise<string> {
  const directory = temporaryDirectory(t)
  await cp(FIXTURE, directory, { recursive: true })
  if (text === undefined) await rm(join(directory, file))
  else await writeFile(join(directory, file), text)
  return directory
}

t.test('each defect of editions.csv is reported', async t => {
  for (const [row, message] of [
    ['17,851712,851713', /edition "17" is not a year/],
    ['2017,8517,851713', /old code "8517" is not six digits/],
    ['2017,851712,999999', /999999 is not a subheading of the dataset/],
    ['2017,851712,8517', /8517 is not a subheading/],
    ['2017,851712,851713\n2017,851712,851713', /is listed twice/],
    ['2017,851712', /2 fields, the header 3/],
  ] as const) {
    const dataset = await readDataset(await withEditions(t, `edition,old_code,hs_code\n${row}\n`))
    const [defect] = checkDataset(dataset)
    t.equal(defect?.file, 'editions.csv', row)
    t.match(defect?.message, message)
  }
})

t.test('a dataset in house style must have editions.csv; without this table, other editions are unknown', async t => {
  const directory = await withEditions(t, undefined)
  const dataset = await readDataset(directory)
  t.strictSame(checkDataset(dataset), [])
  const inHouseStyle = { ...dataset, manifest: { ...dataset.manifest, house_style: true } }
  t.ok(checkDataset(inHouseStyle).some(({ file, message }) => file === 'editions.csv' && /missing/.test(message)))
  const catalog = await catalogOf(directory)
  t.match((edition(catalog, '2017', '851713') as Refusal).message, /must be 2028/)
  await rm(join(directory, 'editions-2028.csv'))
  t.match((edition(await catalogOf(directory), '2017', '851713') as Refusal).message, /has no other editions/)
})

t.test(
  'the current codes for an old code start with the same code, followed by those that replace the fewest old codes',
  async t => {
    const row = (oldCode: string, code: string) => ({ edition: '2017', oldCode, code, line: 1 })
    const columns = buildEditions(
      [
        row('222222', '999990'),
        row('222222', '444444'),
        row('222222', '222222'),
        row('222222', '333333'),
        row('111111', '999990'),
        row('333333', '999990'),
        row('333333', '333333'),
      ],
      new Map([
        ['222222', 0],
        ['333333', 1],
        ['444444', 2],
        ['999990', 3],
      ]),
    )
    t.strictSame(columns.editions, ['2017'])
    t.strictSame([...columns.editionOld], [111111, 222222, 333333])
    t.strictSame([...columns.editionTarget], [3, 0, 2, 1, 3, 1, 3])
    t.strictSame([...columns.editionTargetAt], [0, 1, 5, 7])
    t.strictSame([...columns.editionNow], [0, 1, 2, 3])
    const oldCodes = [222222, 333333, 222222, 222222, 111111, 222222, 333333]
    t.strictSame([...columns.editionSource], oldCodes, 'the old codes of a code also start with the same code')
    t.strictSame([...columns.editionSourceAt], [0, 1, 3, 4, 7])
  },
)

t.test('each defect of editions-2028.csv is reported', async t => {
  for (const [row, message] of [
    ['851712,851716,old,published', /851712 is not a subheading of the dataset/],
    ['851718,8517,old,published', /the code "8517" is not six digits/],
    ['851718,851716,half,published', /the part is "half", not one of whole, old, new, both/],
    ['851718,851716,old,sure', /the certainty is "sure", not one of published, derived, uncertain/],
    ['851718,851716,old,published\n851718,851716,old,published', /is listed twice/],
  ] as const) {
    const text = `hs_code,code_2028,part,certainty\n${row}\n`
    const [defect] = checkDataset(await readDataset(await withEditions(t, text, 'editions-2028.csv')))
    t.equal(defect?.file, 'editions-2028.csv', row)
    t.match(defect?.message, message)
  }
})

t.test('without editions-2028.csv, the edition 2028 is unknown', async t => {
  const catalog = await catalogOf(await withEditions(t, undefined, 'editions-2028.csv'))
  t.match((edition(catalog, '2028', '851713') as Refusal).message, /must be 2017 or 2012/)
  t.equal(catalog.nextEdition.year, '')
})

t.test(
  'the codes of the next edition also start with the same code, followed by those that replace the fewest codes',
  async t => {
    const row = (oldCode: string, code: string) => ({ oldCode, code, part: 'both', certainty: 'derived', line: 1 }) as const
    const columns = buildNextEdition(
      [row('222222', '111111'), row('222222', '333333'), row('222222', '222222'), row('444444', '111111')],
      new Map([
        ['222222', 1],
        ['444444', 0],
      ]),
    )
    t.strictSame([...columns.nextRecord], [0, 1])
    t.strictSame([...columns.nextTarget], [111111, 222222, 333333, 111111])
    t.strictSame([...columns.nextTargetAt], [0, 1, 4])
    t.strictSame([...columns.nextPart], [3, 3, 3, 3])
    t.strictSame([...columns.nextCertainty], [1, 1, 1, 1])
  },
)
