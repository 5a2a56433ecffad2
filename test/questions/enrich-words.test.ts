import t from 'tap'
import type { Classified, ClassifyTerms } from '../../src/catalog/classify/classified.js'
import type { CountryView } from '../../src/catalog/countries.js'
import { Decisions } from '../../src/catalog/decisions.js'
import { withDecision } from '../../src/questions/classify.js'
import { WordsEnricher, wordsCells } from '../../src/questions/enrich-words.js'
import { fixtureCatalog } from '../support/service.js'

const catalog = await fixtureCatalog()
const PLAIN = { level: 6, candidates: 1, withVerdict: false } as const

/** A classifier that records its texts and always returns the same answer. */
function fixedClassifier(answer: Partial<Classified>) {
  const texts: string[] = []
  return {
    texts,
    classify: (text: string, { limit }: ClassifyTerms): Classified => {
      texts.push(text)
      const { status = 'choose', candidates = [], question } = answer
      return { status, candidates: candidates.slice(0, limit), question }
    },
    verify: (_: string, record: number) => ({ status: 'doubtful' as const, against: [{ record, score: 0.5, matched: [] }] }),
  }
}

t.test('the cells of a row do not depend on earlier rows', async t => {
  const texts = ['smartphones', 'هواتف ذكية', 'cards with a magnetic stripe', '', ' ', 'x', 'qqzzqq', '"quoted", words']
  const records = [-1, catalog.trie.find('851713'), catalog.trie.find('852321')]
  const rows = texts.flatMap(text => records.map(record => [text, record] as const))
  for (const withVerdict of [false, true]) {
    const options = { level: 6, candidates: 2, withVerdict } as const
    const enricher = new WordsEnricher(catalog, options)
    for (const [text, record] of [...rows, ...rows.toReversed()]) {
      const cells = enricher.enrich(text, record)
      t.strictSame(
        cells,
        new WordsEnricher(catalog, options).enrich(text, record),
        `the cells for "${text}" with record ${record} are the same`,
      )
      t.equal(cells.length, wordsCells(options).length)
    }
  }
})

t.test('a question is one cell in each language, with the codes that remain after each answer', async t => {
  const question = {
    text: { en: 'Knitted?', ar: 'محبوك؟' },
    answers: [
      { text: { en: 'Yes', ar: 'نعم' }, within: ['6109'] },
      { text: { en: 'No', ar: 'لا' }, within: ['6205', '6206'] },
    ],
  }
  const candidates = [{ record: catalog.trie.find('851713'), score: 0.123456, matched: [] }]
  const enricher = new WordsEnricher(catalog, PLAIN, fixedClassifier({ status: 'ask', candidates, question }))
  const cells = enricher.enrich('shirt', -1)
  t.strictSame(cells.slice(0, 2), ['ask', '851713'])
  t.strictSame(cells.slice(-3), ['0.123', 'Knitted? Yes: 6109; No: 6205 6206', 'محبوك؟ نعم: 6109؛ لا: 6205 6206'])
})

t.test('a repeated text is classified once, unless thousands of other texts came in between', async t => {
  const classifier = fixedClassifier({})
  const enricher = new WordsEnricher(catalog, PLAIN, classifier)
  for (let i = 0; i < 5; i++) t.equal(enricher.enrich(' same words ', -1), enricher.enrich('same words', -1))
  t.strictSame(classifier.texts, ['same words'])
  for (let i = 0; i < 10_000; i++) enricher.enrich(`text ${i}`, -1)
  enricher.enrich('same words', -1)
  t.equal(classifier.texts.filter(text => text === 'same words').length, 2)
  t.equal(enricher.counts.get('choose'), 10_011)
})

t.test('a text over 500 characters is cut between characters and counted', async t => {
  const classifier = fixedClassifier({})
  const enricher = new WordsEnricher(catalog, PLAIN, classifier)
  for (const text of ['a'.repeat(500), '🧵'.repeat(500), 'a'.repeat(501), '🧵'.repeat(501), 'a'.repeat(900_000)])
    enricher.enrich(text, -1)
  t.equal(enricher.cut, 3)
  t.strictSame(classifier.texts, ['a'.repeat(500), '🧵'.repeat(500)], 'texts that are equal after the cut are classified once')
})

t.test('a code that is longer than the candidates is shortened for the comparison', async t => {
  const codeOf = (level: 4 | 6 | 12, code: string) =>
    new WordsEnricher(catalog, { level, candidates: 1, withVerdict: true }, fixedClassifier({})).enrich(
      'words',
      catalog.trie.find(code),
    )[1]
  t.equal(codeOf(6, '852321000000'), '852321')
  t.equal(codeOf(4, '852321'), '8523')
  t.equal(codeOf(12, '852321000000'), '852321000000')
  t.equal(codeOf(6, '8523'), '8523')
})

t.test("a company's own decision replaces the proposed code; a decision for an unknown code leaves the cells empty", async t => {
  const withDecisions = await fixtureCatalog()
  const row = { gtin: '', text: '', country: '', who: 'Ali', day: '2026-11-01', why: '' } as const
  withDecisions.decisions = new Decisions({
    digest: '',
    rows: [
      { ...row, sku: 'A', code: '852321' },
      { ...row, sku: '', gtin: '4006381333931', code: '010130' },
      { ...row, sku: '', text: 'Magnetic cards', code: '852351' },
      { ...row, sku: 'gone', code: '999999' },
    ],
  })
  const candidates = [{ record: withDecisions.trie.find('851713'), score: 0.5, matched: [] }]
  const classifier = fixedClassifier({ candidates })
  const enricher = new WordsEnricher(withDecisions, { level: 6, candidates: 2, withVerdict: false }, classifier)
  const answered = (...args: [words: string, sku?: string, gtin?: string]) => {
    const [words, sku = '', gtin = ''] = args
    const cells = enricher.enrich(words, -1, { sku, gtin })
    return [cells[0], cells[1], cells[6]].join(' ')
  }
  t.equal(answered('phone', 'A'), 'decided 852321 851713')
  t.equal(answered('phone', 'B'), 'choose 851713 ')
  t.equal(answered('phone'), 'choose 851713 ')
  t.equal(answered('phone', 'B', '4006381333931'), 'decided 010130 851713')
  t.equal(answered('MAGNETIC cards!'), 'decided 852351 851713')
  t.equal(answered('', 'A'), 'decided 852321 ', 'a decision needs no words')
  t.equal(answered('', 'B'), '  ')
  t.equal(answered('', ''), '  ')
  t.equal(answered('phone', 'gone'), 'decided: unknown_code  ')
  t.strictSame(Object.fromEntries(enricher.counts), { decided: 4, choose: 2, blank: 2, 'decided: unknown_code': 1 })
  const plain = new WordsEnricher(catalog, PLAIN, classifier)
  t.equal(
    plain.enrich('phone', -1, { sku: 'A', gtin: '' }),
    plain.enrich('phone', -1, { sku: 'B', gtin: '' }),
    'without decisions, item numbers are ignored',
  )
})

t.test('a row of a table has the rate of the given country, and a score without zeros at its end', async t => {
  const candidates = [{ record: catalog.trie.find('852321'), score: 0.5, matched: [] }]
  const cellsIn = (view?: CountryView) =>
    new WordsEnricher(catalog, { ...PLAIN, view }, fixedClassifier({ candidates })).enrich('cards', -1).slice(4, 6)
  t.strictSame(cellsIn(catalog.countries.find('SA')?.newest), ['20', '0.5'])
  t.strictSame(cellsIn(), [catalog.rateText(catalog.trie.find('852321')), '0.5'])
})

t.test('a decided product has neither a question nor a missing detail', async t => {
  const withDecisions = await fixtureCatalog()
  const row = { gtin: '', text: '', country: '', who: 'Ali', day: '2026-11-01', why: '', sku: 'A', code: '852321' } as const
  withDecisions.decisions = new Decisions({ digest: '', rows: [row] })
  const question = { text: { en: 'Knitted?', ar: 'محبوك؟' }, answers: [] }
  const proposed = { status: 'ask', candidates: [], question, missing: { en: 'material', ar: 'المادة' } } as const
  const asked = (sku: string) => withDecision(withDecisions, proposed, { sku, gtin: '', text: '' }, 1)
  t.match(asked('A'), { status: 'decided', question: undefined, missing: undefined })
  t.match(asked('B'), { ...proposed, decision: undefined })
})
