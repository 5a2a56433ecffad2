import fc from 'fast-check'
import t from 'tap'
import { buildRecords } from '../../../build/compiler/hierarchy.js'
import type { Row } from '../../../build/dataset/rows.js'

const row = (code: string): Row => ({
  file: 'f',
  line: 1,
  hs_code: code,
  description_en: code,
  description_ar: code,
  tariff_rate: code.length === 2 ? '5' : '',
  is_active: '',
  keywords_en: '',
  keywords_ar: '',
})

/** Random codes of chapters 01 and 02, always with both chapters. */
const codes = fc
  .uniqueArray(fc.stringMatching(/^0[1-2][0-3]{0,8}$/), { maxLength: 60, size: 'max' })
  .map(list => [...new Set(['01', '02', ...list])])

t.test('the parent of a code is its longest existing prefix, and its children are adjacent, in ascending order', async t => {
  fc.assert(
    fc.property(codes, list => {
      const records = buildRecords(list.map(row), { edition: '', vat_rate: 5, line_digits: [8, 12] })
      const all = records.map(record => record.code)
      if (new Set(all).size !== all.length) return false
      return records.every((record, i) => {
        const prefixes = all.filter(code => code !== record.code && record.code.startsWith(code))
        const parent = prefixes.sort((a, b) => b.length - a.length)[0]
        const children = records.slice(record.firstChild, record.firstChild + record.childCount)
        return (
          (records[record.parent]?.code ?? undefined) === parent &&
          children.every(child => child.parent === i) &&
          records.filter(other => other.parent === i).length === children.length &&
          children.every((child, n) => n === 0 || (children[n - 1]?.code as string) < child.code)
        )
      })
    }),
    { numRuns: 200 },
  )
  t.pass('the property holds for all generated cases')
})

t.test(
  'each code without subdivisions gets padded codes of 8 and 12 digits with its description; no other codes are added',
  async t => {
    fc.assert(
      fc.property(codes, list => {
        const records = buildRecords(list.map(row), { edition: '', vat_rate: 5, line_digits: [8, 12] })
        const added = records.filter((record, i) => record.source !== i)
        const leaves = list.filter(code => !list.some(other => other !== code && other.startsWith(code)))
        const expected = leaves.flatMap(code => [8, 12].filter(n => n > code.length).map(n => code.padEnd(n, '0')))
        return (
          JSON.stringify(added.map(r => r.code).sort()) === JSON.stringify(expected.sort()) &&
          added.every(record => record.en === records[record.source]?.en) &&
          records.every(record => record.childCount > 0 || record.code.length >= 12)
        )
      }),
      { numRuns: 200 },
    )
    t.pass('the property holds for all generated cases')
  },
)

t.test('the range of rates of a code covers the lines below it, without its own rate', async t => {
  const rated = (code: string, rate: string): Row => ({ ...row(code), tariff_rate: rate })
  const rows = [
    rated('01', '20'),
    rated('0101', '12'),
    rated('010110', '5'),
    rated('010120', '6.5'),
    rated('0102', '0'),
    rated('010210', '10'),
    rated('010220', '9'),
  ]
  const records = buildRecords(rows, { edition: '', vat_rate: 5, line_digits: [8, 12] })
  const range = (code: string) => {
    const found = records.find(record => record.code === code)
    return [found?.low, found?.high]
  }
  t.strictSame(range('0101'), ['5', '6.5'])
  t.strictSame(range('0102'), ['9', '10'])
  t.strictSame(range('01'), ['5', '10'])
  t.strictSame(range('010110'), ['5', '5'])
})
