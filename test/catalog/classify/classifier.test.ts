import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { CLASSIFY_LEVELS } from '../../../src/limits.js'
import { shippedSnapshot } from '../../support/service.js'

const catalog = new Catalog(await shippedSnapshot())
const { classifier, records } = catalog
const terms = { level: 6, limit: 10, within: [] } as const
const codes = (text: string, more: object = {}) =>
  classifier.classify(text, { ...terms, ...more }).candidates.map(({ record }) => records.code(record))
const record = (code: string) => catalog.trie.find(code)

t.test('a title is classified in the heading of the goods that it names, in both languages', async t => {
  for (const [title, heading] of [
    ['FOXFURY 20000mAh Power Bank Slim Type-C 22.5W Black', '8507'],
    ['SS304 SEAMLESS PIPE SCH40 2IN', '7304'],
    ['فستان سهرة نسائي دانتيل طويل', '6204'],
    ['cotton t-shirt for men', '6109'],
    ['ثلاجة سامسونج بابين 500 لتر', '8418'],
    ['باور بانك 10000 مللي أمبير شحن سريع', '8507'],
  ] as const)
    t.equal(codes(title)[0]?.slice(0, 4), heading, title)
})

t.test('a title whose words are common to many headings is also compared with phrases', async t => {
  t.equal(codes('rubber plate', { level: 4 })[0], '4008')
})

t.test('scores are in descending order, add up to at most one, and are the same every time', async t => {
  for (const level of CLASSIFY_LEVELS) {
    const { candidates } = classifier.classify('stainless steel kitchen knife set', { ...terms, level, limit: 20 })
    const scores = candidates.map(({ score }) => score)
    t.strictSame(
      scores,
      [...scores].sort((a, b) => b - a),
    )
    t.ok(scores.reduce((sum, score) => sum + score, 0) <= 1.000001, `level ${level}`)
    classifier.classify('something else', terms)
    t.strictSame(
      classifier.classify('stainless steel kitchen knife set', { ...terms, level, limit: 20 }).candidates,
      candidates,
      'scores do not depend on other texts classified in between',
    )
  }
})

t.test('candidates have the requested number of digits', async t => {
  t.ok(codes('frozen shrimp', { level: 4 }).every(code => code.length === 4))
  t.ok(codes('frozen shrimp', { level: 6 }).every(code => code.length === 6))
  const lines = codes('frozen shrimp', { level: 12 })
  t.ok(lines.length > 0 && lines.every(code => code.length >= 6 && code.length <= 12))
  t.ok(
    lines.every(code => code.length === 12 || catalog.childCount[record(code)] === 0),
    'a candidate with fewer digits has no codes below it',
  )
})

t.test('candidates are within the requested codes', async t => {
  t.ok(codes('leather handbag', { within: ['4202'] }).every(code => code.startsWith('4202')))
  const either = codes('leather shoes', { within: ['6403', '6404'] })
  t.ok(either.length > 0 && either.every(code => code.startsWith('6403') || code.startsWith('6404')))
  t.strictSame(
    codes('leather shoes', { within: ['640399'], level: 4 }),
    ['6403'],
    'a candidate may be a code above a requested one',
  )
})

t.test('matched words are shown as they were written', async t => {
  const { candidates } = classifier.classify('Cotton T-Shirt, «Blue»', terms)
  t.ok(candidates[0]?.matched.includes('T-Shirt'))
  t.ok(candidates.every(({ matched }) => matched.every(word => 'Cotton T-Shirt, «Blue»'.includes(word))))
})

t.test('a text of unknown words has the status unknown', async t => {
  for (const text of ['zzqx wwvk', '...', '12345678901234567890']) {
    const { status, candidates, question } = classifier.classify(text, terms)
    t.equal(status, 'unknown', text)
    t.ok(candidates.every(({ score }) => score < 0.1))
    t.equal(question, undefined)
  }
})

t.test('each answer to a question leads to different candidates, and the answers cover the best two', async t => {
  let asked = 0
  for (const title of ['coffee beans 1 kg', 'women dress', 'قميص قطن', 'frozen shrimp', 'leather shoes', 'جبن', 'wool carpet']) {
    const { status, candidates, question } = classifier.classify(title, terms)
    t.equal(status === 'ask', question !== undefined, title)
    if (question === undefined) continue
    asked++
    for (const { within } of question.answers) t.ok(codes(title, { within }).length > 0, `${title}: ${within}`)
    const all = question.answers.flatMap(({ within }) => within)
    for (const { record } of candidates.slice(0, 2))
      t.ok(
        all.some(code => records.code(record).startsWith(code)),
        title,
      )
  }
  t.ok(asked > 0)
})

t.test('a right code agrees with the text; for a wrong code, better codes are named', async t => {
  t.strictSame(classifier.verify('cotton t-shirt', record('610910'), terms), { status: 'agrees', against: [] })
  t.equal(classifier.verify('cotton t-shirt', record('6109'), terms).status, 'agrees', 'a heading may also agree')
  const wrong = classifier.verify('cotton t-shirt', record('850760'), terms)
  t.equal(wrong.status, 'contradicts')
  t.ok(wrong.against.length > 0 && records.code(wrong.against[0]?.record ?? -1).startsWith('6109'))
  const lines = classifier.verify('cotton t-shirt', record('850760'), { ...terms, level: 12 })
  t.ok(records.code(lines.against[0]?.record ?? -1).length > 6, 'better codes have the requested length')
})

t.test('no code agrees with a text of unknown words', async t => {
  for (const text of ['zzqx wwvk', '...'])
    t.strictSame(classifier.verify(text, record('610910'), terms), { status: 'doubtful', against: [] }, text)
})

t.test('a chapter agrees with a text if one of its headings does', async t => {
  t.strictSame(classifier.verify('cotton t-shirt', record('61'), terms), { status: 'agrees', against: [] })
  t.equal(classifier.verify('cotton t-shirt', record('85'), terms).status, 'contradicts')
})

t.test('better codes have the requested number of digits, and none equals or contains the code itself', async t => {
  for (const code of ['85', '8507', '850760', '610990', '6110'])
    for (const level of [4, 6, 8, 12] as const) {
      const against = classifier.verify('cotton t-shirt', record(code), { ...terms, level }).against
      for (const { record: other } of against) {
        const better = records.code(other)
        t.ok(better.length === level || catalog.childCount[other] === 0, `${code} at ${level}: ${better}`)
        t.notOk(better.startsWith(code) || code.startsWith(better), `${code} at ${level}: ${better}`)
      }
    }
})

t.test('the cached evidence of the last text is not used for another text', async t => {
  const alone = codes('leather shoes')
  codes('leather shoes', { within: ['6404'] })
  t.strictSame(codes('leather shoes'), alone)
})
