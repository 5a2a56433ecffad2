/** Tests the types of answers, which the server, the library, the client and the pages share. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
// @ts-expect-error: the script is plain JavaScript
import { typesSource } from '../../scripts/write-types.mjs'
import { ROOT } from '../support/cli.js'
import { typeErrors } from '../support/type-errors.js'

t.test('types.ts is up to date with the schemas of the contract; if not, run npm run contract:types', async t => {
  t.equal(readFileSync(join(ROOT, 'src/contract/types.ts'), 'utf8'), typesSource())
})

const OPTIONS = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
}

/** Each line assigns a valid value to a type. */
const VALID = `
export const record: HsRecord = { hs_code: '01', description: { en: '', ar: '' }, level: 2, parent_id: null, tariff_rate: 5, is_active: true }
export const page: Page<HsRecord> = { items: [record], total: 1, limit: 50, offset: 0 }
export const notes: CutList<Note> = { items: [], total: 0 }
export const item: ShipmentItem = { hs_code: '01', value: '1', unit: 'l' }
export const warning: Warning = { code: 'prohibited', en: '', ar: '' }
export const facets: Pick<Facets, 'level'> = { level: [{ level: 2, count: 1 }] }
export const picked: Picked<HsRecord, 'hs_code' | 'description.en'> = { hs_code: '01', description: { en: '' } }
export const extras: Pick<LookupExtras, 'unit' | 'editions'> = { unit: null, editions: { '2017': ['010121'] } }
export const found: SearchAnswer<SearchItem, never> = { q: 'tea', items: [], total: 0, limit: 5, offset: 0 }
export const error: ErrorDetails = { parameter: 'q' }
export const query: SearchQuery = { q: 'tea', level: 6 }`

/** Each line assigns an invalid value to a type. */
const INVALID = [
  `export const record: HsRecord = { hs_code: '01', description: { en: '', ar: '' }, level: 2, parent_id: null, tariff_rate: '5', is_active: true }`,
  `export const warning: Warning = { code: 'forbidden', en: '', ar: '' }`,
  `export const left: LeftOut = { en: '', ar: '' }`,
  `export const item: ShipmentItem = { hs_code: '01', value: '1', unit: 'kg' }`,
  `export const query: SearchQuery = { q: 'tea', level: 3 }`,
  `export const picked: Picked<HsRecord, 'hs_code'> = { hs_code: '01', level: 2 }`,
  `export const changed = (answer: Resolved) => { answer.status = 'found' }`,
  `export const code: ErrorCode = 'unknown'`,
]

const program = (lines: string): string => {
  const names = [...new Set(lines.match(/\b[A-Z]\w+/g))].filter(name => name !== 'Pick')
  return `import type { ${names.join(', ')} } from '${join(ROOT, 'src/answers/shapes.js')}'\n${lines}`
}

t.test('valid values compile, and each invalid value is a type error', async t => {
  t.strictSame(await typeErrors(t, OPTIONS, { source: program(VALID) }), [])
  const errors = await typeErrors(t, OPTIONS, { source: program(INVALID.join('\n')) })
  const lines = errors.map(error => Number(/program\.ts\((\d+)/.exec(error)?.[1]) - 2)
  t.strictSame([...new Set(lines)], [...INVALID.keys()], errors.join('\n'))
})
