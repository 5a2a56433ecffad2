/** Notes and pointers of the shipped dataset. */
import t from 'tap'
import { seeAlsoJson } from '../../src/answers/notes.js'
import { recordJson } from '../../src/answers/records.js'
import type { CutList, Note, Pointer } from '../../src/answers/shapes.js'
import { Catalog } from '../../src/catalog/catalog.js'
import { INCLUDES, LOOKUP_INCLUDES, NOTES_MAX, SEE_ALSO_MAX } from '../../src/limits.js'
import { type Include, type IncludeName, readInclude } from '../../src/questions/include.js'
import { notes } from '../../src/questions/notes.js'
import { Refusal } from '../../src/questions/refusal.js'
import { sectionScope } from '../../src/snapshot/section-scope.js'
import { shippedSnapshot } from '../support/service.js'

const catalog = new Catalog(await shippedSnapshot())
const { records, level, meta } = catalog
const codes = Array.from(level, (_, record) => records.code(record))
const all = Array.from({ length: catalog.notes.count }, (_, note): Note => JSON.parse(catalog.notes.text(note)))

t.test(
  'a code has only its own notes, those of codes above it and of its section, nearest first, without duplicates',
  async t => {
    for (const [record, code] of codes.entries()) {
      const section = meta.sections.find(({ chapters }) => chapters.includes(code.slice(0, 2)))
      const nearness = (scope: string) => {
        const digits = scope.split(', ').filter(one => code.startsWith(one))
        if (digits.length > 0) return Math.max(...digits.map(one => one.length))
        return section !== undefined && scope.split(', ').includes(sectionScope(section.section)) ? 1 : 0
      }
      const found = catalog.notes.touching(record)
      const distances = found.map(note => nearness((all[note] as Note).scope))
      const isRight =
        distances.every((one, i) => one > 0 && one <= (distances[i - 1] ?? one)) && new Set(found).size === found.length
      if (!isRight) t.fail(`${code}: ${found.map(note => all[note]?.scope).join(' | ')}`)
    }
    t.ok(all.length > 1_000)
  },
)

t.test('a lookup lists all notes; lists and pointers are cut, and their totals count all', async t => {
  const most = (totalOf: (record: number) => number) =>
    codes.reduce((best, _, at) => (totalOf(at) > totalOf(best) ? at : best), 0)
  const noted = most(record => catalog.notes.touching(record).length)
  const whole = catalog.notes.touching(noted).length
  t.ok(whole > NOTES_MAX, 'the shipped data has a code with more notes than a list shows')
  const notesWith = (allowed: readonly IncludeName[]): CutList<Note> =>
    JSON.parse(recordJson(catalog, noted, readInclude('notes', allowed) as Include)).notes
  t.match(notesWith(LOOKUP_INCLUDES), { items: { length: whole }, total: whole })
  t.match(notesWith(INCLUDES), { items: { length: NOTES_MAX }, total: whole })
  const pointed = most(record => catalog.pointers.of(record).length)
  const elsewhere: CutList<Pointer> = JSON.parse(seeAlsoJson(catalog, pointed))
  t.equal(elsewhere.items.length, SEE_ALSO_MAX)
  t.equal(elsewhere.total, catalog.pointers.of(pointed).length)
})

t.test('every note is listed under a scope, and a scope lists all its notes', async t => {
  const scopes = [
    'rules',
    ...meta.sections.map(({ section }) => sectionScope(section)),
    ...codes.filter(code => code.length === 2),
  ]
  const listed = new Set<number>()
  for (const scope of scopes) {
    const found = notes(catalog, scope)
    if (found instanceof Refusal) t.fail(`${scope}: ${found.message}`)
    else for (const note of Array.from(found)) listed.add(note)
  }
  t.equal(listed.size, all.length)
})
