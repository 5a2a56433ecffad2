import { dataOf, openService, testOnEngines } from '../support/service.js'

const TAPES = {
  scope: 'GCC',
  kind: 'prohibited',
  authority: null,
  reason: { en: 'Tapes may not be imported', ar: 'يمنع استيراد الأشرطة' },
  source: 'a law on media',
  date: '2026-02-01',
  certainty: 'published',
}
const MEDIA = {
  ...TAPES,
  kind: 'permit',
  authority: 'Ministry of Media',
  reason: { en: 'Recorded media need a permit', ar: 'تحتاج الوسائط المسجلة إلى تصريح' },
  certainty: 'reported',
}

testOnEngines('a code has its own controls and those of the codes above, the most serious first', async t => {
  const { get, auth } = await openService(t)
  const controlsOf = async (code: string) => (await get(`/api/v1/hs-codes/${code}?include=controls`, auth)).body.data.controls
  const { items, note } = await controlsOf('852329')
  t.strictSame(items, [TAPES, MEDIA])
  t.strictSame(Object.keys(items[0]), ['scope', 'kind', 'authority', 'reason', 'source', 'date', 'certainty'])
  t.match(note, { en: /does not mean that there is none; ask the authority/, ar: /لا يعني عدم وجوده/ })
  t.strictSame((await controlsOf('852329000000')).items, [TAPES, MEDIA], 'the lines below have the same controls')
  t.strictSame((await controlsOf('8523')).items, [MEDIA], 'controls of codes below are left out')
  t.match(
    (await controlsOf('851713000000')).items,
    [{ kind: 'conformity', certainty: 'uncertain' }],
    'a padded code has the same controls',
  )
  t.strictSame((await controlsOf('851713')).items, [])
})

testOnEngines('controls of a single country are left out, and an empty list also has the note', async t => {
  const { get, auth } = await openService(t)
  for (const code of ['85', '852321']) {
    const { controls } = (await get(`/api/v1/hs-codes/${code}?include=controls`, auth)).body.data
    t.ok(
      controls.items.every(({ scope }: { scope: string }) => scope === 'GCC'),
      code,
    )
    t.match(controls.note.en, /ask the authority/)
  }
})

testOnEngines('controls come after the unit and before the names, in lists and searches, too', async t => {
  const { get, auth } = await openService(t)
  const plain = dataOf(await get('/api/v1/hs-codes/852329', auth))
  const { text, body } = await get('/api/v1/hs-codes/852329?include=lines,examples,controls,unit,rate', auth)
  t.strictSame(Object.keys(body.data).slice(-5), ['rate', 'unit', 'controls', 'examples', 'lines'])
  t.ok(text.includes(plain.slice(0, -1)), 'the record itself is unchanged')
  for (const path of ['hs-codes/8523/children?', 'hs-codes/852329/lines?', 'search?q=magnetic&']) {
    const { data } = (await get(`/api/v1/${path}include=controls`, auth)).body
    const found = data.find(({ hs_code }: { hs_code: string }) => hs_code.startsWith('852329'))
    t.strictSame(found.controls.items, [TAPES, MEDIA], path)
  }
})

testOnEngines('for prohibited goods, the rate has the status prohibited and an estimate has a warning', async t => {
  const { get, auth, post } = await openService(t)
  const rateOf = async (code: string) => (await get(`/api/v1/hs-codes/${code}?include=rate`, auth)).body.data.rate
  const notesOf = async (code: string) =>
    (await get(`/api/v1/tariff/calculate?hs_code=${code}&value=1`, auth)).body.data.notes as string
  const plain = await notesOf('851713')
  for (const code of ['852329', '85232900', '852329000000']) {
    t.equal((await rateOf(code)).status, 'prohibited', code)
    t.equal(await notesOf(code), `${plain} The dataset lists these goods as prohibited for import into the GCC states.`, code)
  }
  for (const code of ['85', '8523', '852321', '851713']) {
    t.equal((await rateOf(code)).status, 'normal', code)
    t.notMatch(await notesOf(code), /prohibited/, code)
  }
  t.strictSame(Object.keys(await rateOf('85')), ['from', 'source', 'certainty', 'min', 'max', 'status'])
  const { body } = await post('/api/v1/tariff/calculate', { items: [{ hs_code: '852329', value: 1 }] }, auth)
  t.equal(body.data.items[0].notes, await notesOf('852329'), 'an invoice has the warning as well')
})
