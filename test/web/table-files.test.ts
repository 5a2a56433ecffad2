import t from 'tap'
import type { Resolved } from '../../src/web/page/api.js'
import { csvFile } from '../../src/web/page/check-files.js'

t.test('a downloaded table runs neither what was pasted nor what the server described, and keeps numbers and codes', async t => {
  const record = { hs_code: '0101', description: { en: '=1+1', ar: '@شاي' }, tariff_rate: -5 }
  const resolved = { status: 'found', hs_code: '0101', record, lines: 1, candidates: [], nearest: null } as unknown as Resolved
  const pasted = {
    header: ['code', '=note'],
    rows: [
      ['0101', '-5'],
      ['0101', '\u0000=2'],
    ],
    column: 0,
  } as unknown as Parameters<typeof csvFile>[0]
  const [header = '', ...rows] = (await csvFile(pasted, [resolved, resolved]).text()).trimEnd().split('\r\n')
  t.match(header, /code,'=note,/)
  t.strictSame(rows, ["0101,-5,found,0101,'=1+1,'@شاي,-5,1,", "0101,'=2,found,0101,'=1+1,'@شاي,-5,1,"])
})
