/** Tests the notes and pointers of the shipped dataset. */
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
const allNotes = Array.from({ length: catalog.notes.count }, (_, note): Note => JSON.parse(catalog.notes.text(note)))

t.test(
  'the notes of a code are its own, those of the codes above it and of its section, in this order, without duplicates',
  async t => {
    for (const [record, code] of codes.entries()) {
      const section = meta.sections.find(({ chapters }) => chapters.includes(code.slice(0, 2)))
      const closeness = (scope: string) => {
        const digits = scope.split(', ').filter(one => code.startsWith(one))
        if (digits.length > 0) return Math.max(...digits.map(one => one.length))
        return section !== undefined && scope.split(', ').includes(sectionScope(section.section)) ? 1 : 0
      }
      const found = catalog.notes.touching(record)
      const values = found.map(note => closeness((allNotes[note] as Note).scope))
      const isRight =
        values.every((value, i) => value > 0 && value <= (values[i - 1] ?? value)) && new Set(found).size === found.length
      if (!isRight) t.fail(`${code}: ${found.map(note => allNotes[note]?.scope).join(' | ')}`)
    }
    t.ok(allNotes.length > 1_000)
  },
)

t.test(
  'a lookup has all notes of a code; in other answers, lists of notes and pointers have the first entries and the total',
  async t => {
    const recordWithMost = (totalOf: (record: number) => number) =>
      codes.reduce((best, _, at) => (totalOf(at) > totalOf(best) ? at : best), 0)
    const mostNotes = recordWithMost(record => catalog.notes.touching(record).length)
    const whole = catalog.notes.touching(mostNotes).length
    t.ok(whole > NOTES_MAX, 'a code of the shipped dataset has more notes than lists show')
    const notesWith = (allowed: readonly IncludeName[]): CutList<Note> =>
      JSON.parse(recordJson(catalog, mostNotes, readInclude('notes', allowed) as Include)).notes
    t.match(notesWith(LOOKUP_INCLUDES), { items: { length: whole }, total: whole })
    t.match(notesWith(INCLUDES), { items: { length: NOTES_MAX }, total: whole })
    const mostPointers = recordWithMost(record => catalog.pointers.of(record).length)
    const seeAlso: CutList<Pointer> = JSON.parse(seeAlsoJson(catalog, mostPointers))
    t.equal(seeAlso.items.length, SEE_ALSO_MAX)
    t.equal(seeAlso.total, catalog.pointers.of(mostPointers).length)
  },
)

t.test('the general rules, the sections and the chapters together have all notes', async t => {
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
  t.equal(listed.size, allNotes.length)
})
