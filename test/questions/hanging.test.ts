/** Tries thousands of generated texts. None may take more than a second of CPU time. */
import t, { type Test } from 'tap'
import { LAYOUTS } from '../../build/importers/import.js'
import { type Cells, emptyResult, type Layout, ROLES } from '../../build/importers/layout.js'
import { makeSelfContained } from '../../build/importers/self-contained.js'
import {
  BODY_BYTES_MAX,
  CLASSIFY_CHARS_MAX,
  QUERY_CHARS_MAX,
  RESOLVE_CHARS_MAX,
  SUGGEST_CHARS_MAX,
  SUGGEST_LIMIT_MAX,
} from '../../src/limits.js'
import { Enricher } from '../../src/questions/enrich.js'
import { WordsEnricher } from '../../src/questions/enrich-words.js'
import { Resolver } from '../../src/questions/resolve.js'
import { HANG_MS, processorMs } from '../support/processor-time.js'
import { repeatedTexts } from '../support/repeats.js'
import { fixtureCatalog } from '../support/service.js'

const SEED = 22
/** The length of a table cell that once hung an import. */
const CELL_CHARS_MAX = 80_000

/** Asserts that no text takes too long. Stops at the first text that does. */
async function assertNoneHangs(t: Test, texts: readonly string[], use: (text: string) => unknown): Promise<void> {
  let slowest = { ms: 0, text: '' }
  for (const text of texts) {
    const ms = await processorMs(() => use(text))
    if (ms > slowest.ms) slowest = { ms, text }
    if (ms > HANG_MS) break
  }
  const { ms, text } = slowest
  t.ok(ms < HANG_MS, `the slowest text took ${ms.toFixed(1)} ms: ${JSON.stringify(text.slice(0, 30))}, ${text.length} characters`)
}

const catalog = await fixtureCatalog()

t.test('the generated texts include one that once took exponential time', async t => {
  const texts = repeatedTexts(SEED, 5_000, QUERY_CHARS_MAX)
  t.ok(texts.some(text => /^(?:hscode){22,}x1$/.test(text)))
})

t.test('no text hangs a search', async t => {
  await assertNoneHangs(t, repeatedTexts(SEED, 5_000, QUERY_CHARS_MAX), text => catalog.search.find(text, 0, 0, 50))
})

t.test('no text hangs suggestions', async t => {
  await assertNoneHangs(t, repeatedTexts(SEED, 5_000, SUGGEST_CHARS_MAX), text => catalog.suggest.find(text, SUGGEST_LIMIT_MAX))
})

t.test('no text hangs classification', async t => {
  const terms = { level: 6, limit: 20, within: [] } as const
  await assertNoneHangs(t, repeatedTexts(SEED, 1_000, CLASSIFY_CHARS_MAX), text => catalog.classifier.classify(text, terms))
})

t.test('no text hangs the resolution of codes', async t => {
  for (const year of ['2022', '2017']) {
    const resolver = new Resolver(catalog, year)
    await assertNoneHangs(t, repeatedTexts(SEED, 1_000, RESOLVE_CHARS_MAX), text => resolver.resolve(text))
    await assertNoneHangs(t, repeatedTexts(SEED, 200, BODY_BYTES_MAX), text => resolver.resolve(text))
  }
})

t.test('no cell hangs the enrichment of a row', async t => {
  const enricher = new Enricher(catalog, '2022', { fillLines: true, withNext: true })
  await assertNoneHangs(t, repeatedTexts(SEED, 200, CELL_CHARS_MAX), text => enricher.enrich(text))
  const words = new WordsEnricher(catalog, { level: 6, candidates: 1, withVerdict: true })
  const record = catalog.trie.find('851713')
  await assertNoneHangs(t, repeatedTexts(SEED, 200, CELL_CHARS_MAX), text => words.enrich(text, record))
})

function importRow(layout: Layout, changes: Partial<Cells>): void {
  const result = emptyResult()
  const reader = layout.read(result)
  const group: Cells = { line: 2, code: '', en: 'Horses', ar: 'خيول', rate: '', rate_ar: '', date: '', indent: '1' }
  for (const cells of [group, { ...group, code: '010121000000', indent: '2' }]) reader.row({ ...cells, ...changes })
  reader.end()
  makeSelfContained(result.entries)
}

for (const layout of LAYOUTS.values())
  t.test(`no cell hangs an import with the layout ${layout.name}`, async t => {
    for (const role of ROLES)
      await assertNoneHangs(t, repeatedTexts(SEED, 100, CELL_CHARS_MAX), text => importRow(layout, { [role]: text }))
  })
