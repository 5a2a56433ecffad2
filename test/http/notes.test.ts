import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  catalogOf,
  dataOf,
  FIXTURE,
  makeKey,
  openService,
  startService,
  temporaryDirectory,
  testOnEngines,
} from '../support/service.js'

const RULE = {
  scope: 'rules',
  kind: 'rule',
  number: 'General rule 1',
  text: { en: 'The wording of headings decides.', ar: 'العبرة بنصوص البنود.' },
  goes_to: [],
  certainty: 'general',
}
const numbersOf = (notes: { number: string }[]) => notes.map(({ number }) => number)

testOnEngines('a scope has its own notes first, then other notes that affect it, in the order of the file', async t => {
  const { get, auth } = await openService(t)
  const notesOf = async (scope: string) => (await get(`/api/v1/notes/${scope}`, auth)).body.data
  t.strictSame(await notesOf('rules'), { scope: 'rules', notes: [RULE] })
  const chapter = await notesOf('85')
  t.strictSame(numbersOf(chapter.notes), [
    'Chapter 85, note 1(a)',
    'Chapter 85, note 1(b)',
    'Chapter 85, note 2',
    'Section XVI, note 2',
  ])
  t.strictSame(Object.keys(chapter.notes[0]), ['scope', 'kind', 'number', 'text', 'goes_to', 'certainty'])
  t.match(chapter.notes[0], { scope: '85', kind: 'excludes', goes_to: ['9031'] })
  t.equal(chapter.notes[1].scope, '8523, 852351', 'several scopes are one text')
  t.strictSame(numbersOf((await notesOf('S16')).notes), ['Section XVI, note 1', 'Section XVI, note 2'])
  t.strictSame(numbersOf((await notesOf('90')).notes), ['Section XVI, note 2'])
  t.strictSame(await notesOf('S13'), { scope: 'S13', notes: [] }, 'a section may have no notes')
})

testOnEngines('chapters 1 to 9 have their own notes first, too', async t => {
  const directory = join(temporaryDirectory(t), 'dataset')
  cpSync(FIXTURE, directory, { recursive: true })
  const file = join(directory, 'notes.csv')
  const [header, ...rows] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [header, '01,defines,"Chapter 85, note 9",A horse is live.,الحصان حي.,,published', ...rows].join('\n'))
  const key = makeKey('pro')
  const { get } = await startService(t, [key], await catalogOf(directory))
  const { notes } = (await get('/api/v1/notes/01', { 'x-api-key': key.key })).body.data
  t.strictSame(numbersOf(notes), ['Chapter 1, note 1', 'Chapter 85, note 9'])
})

testOnEngines('an unknown scope gives 404, an invalid one 400', async t => {
  const { get, auth } = await openService(t)
  for (const scope of ['77', 'S22', 'S00']) {
    const { status, body } = await get(`/api/v1/notes/${scope}`, auth)
    t.match([status, body.error.code], [404, 'not_found'], scope)
  }
  for (const scope of ['8517', 'XVI', 's16', 'S1', 'rule', '8', '85%20', '%']) {
    const { status, body } = await get(`/api/v1/notes/${scope}`, auth)
    t.match([status, body.error.code, body.error.details], [400, 'invalid_parameter', { parameter: 'scope' }], scope)
  }
  t.equal((await get('/api/v1/notes/85')).status, 401)
})

testOnEngines('include=notes lists the notes that affect a code, nearest scope first', async t => {
  const { get, auth } = await openService(t)
  const included = async (code: string) => (await get(`/api/v1/hs-codes/${code}?include=notes`, auth)).body.data.notes
  const tapes = await included('852329')
  t.equal(tapes.total, 4)
  const nearestFirst = ['Chapter 85, note 2', 'Chapter 85, note 1(b)', 'Chapter 85, note 1(a)', 'Section XVI, note 1']
  t.strictSame(numbersOf(tapes.items), nearestFirst)
  t.strictSame(await included('852329000000'), tapes, 'the lines below have the same notes')
  t.equal((await included('852351')).total, 3, 'a note of two scopes is listed once')
  t.strictSame(numbersOf((await included('85')).items), ['Chapter 85, note 1(a)', 'Section XVI, note 1'])
  t.strictSame(await included('0101'), { items: [], total: 0 })
})

testOnEngines(
  'include=see_also gives pointers of a code, of codes above and, unless it is a chapter, of those below',
  async t => {
    const { get, auth } = await openService(t)
    const included = async (code: string) => (await get(`/api/v1/hs-codes/${code}?include=see_also`, auth)).body.data.see_also
    const targets = async (code: string) => (await included(code)).items.map(({ hs_code }: { hs_code: string }) => hs_code)
    t.strictSame(await included('85'), {
      items: [
        {
          what: { en: 'toy horses on wires', ar: 'خيول لعب سلكية' },
          hs_code: '010129',
          description: (await get('/api/v1/hs-codes/010129', auth)).body.data.description,
        },
      ],
      total: 1,
    })
    t.strictSame(await targets('8517'), ['852351', '010129', '903111'])
    t.strictSame(await targets('851718000000'), ['903111', '852351', '010129'])
    t.strictSame(await targets('0101'), [])
  },
)

testOnEngines('notes and pointers come between unit and controls, in lists and searches, too', async t => {
  const { get, auth } = await openService(t)
  const plain = dataOf(await get('/api/v1/hs-codes/852329', auth))
  const { text, body } = await get('/api/v1/hs-codes/852329?include=controls,see_also,notes,unit', auth)
  t.strictSame(Object.keys(body.data).slice(-4), ['unit', 'notes', 'see_also', 'controls'])
  t.ok(text.includes(plain.slice(0, -1)), 'the record itself is unchanged')
  for (const path of ['hs-codes/8523/children?', 'hs-codes/852329/lines?', 'search?q=magnetic&']) {
    const { data } = (await get(`/api/v1/${path}include=notes,see_also`, auth)).body
    const found = data.find(({ hs_code }: { hs_code: string }) => hs_code.startsWith('852329'))
    t.strictSame([found.notes, found.see_also], [body.data.notes, body.data.see_also], path)
  }
})

testOnEngines('the goods of a pointer are found by search under its target, and suggested', async t => {
  const { get, auth } = await openService(t)
  for (const q of ['walkie memory sticks', 'ذاكرة لاسلكي']) {
    const { data } = (await get(`/api/v1/search?q=${encodeURIComponent(q)}`, auth)).body
    t.equal(data[0].hs_code, '852351', q)
  }
  const { data } = (await get('/api/v1/suggest?q=walkie', auth)).body
  t.match(data, [{ text: 'walkie memory sticks', hs_code: '852351' }])
})
