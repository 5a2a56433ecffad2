import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { checkDataset } from '../../build/check.js'
import { compile } from '../../build/compile.js'
import { readDataset } from '../../build/read.js'
import { Catalog } from '../../src/catalog/catalog.js'
import { decodeSnapshot } from '../../src/snapshot/load.js'
import { encodeSnapshot } from '../../src/snapshot/write.js'

const PHRASES = fileURLToPath(new URL('../../bench/relevance/phrases.tsv', import.meta.url))
/** Well below what is reached, to catch a collapse and not a change of taste. */
const FOUND_FLOOR = 0.85
const RECIPROCAL_RANK_FLOOR = 0.75

const DATASET = fileURLToPath(new URL('../../dataset', import.meta.url))

t.test('the shipped dataset has no defects and answers', async t => {
  const dataset = await readDataset(DATASET)
  t.strictSame(checkDataset(dataset), [])
  const catalog = new Catalog(decodeSnapshot(encodeSnapshot(compile(dataset), dataset.digest), 'shipped'))
  for (const code of ['85', '8523', '852321', '85232100', '852321000000']) {
    t.ok(catalog.trie.find(code) >= 0, code)
  }
  const lines = readFileSync(PHRASES, 'utf8').trim().split('\n').slice(1)
  for (const lang of ['en', 'ar']) {
    const phrases = lines.map(line => line.split('\t')).filter(([l], i) => l === lang && i % 4 === 0)
    let found = 0
    let reciprocal = 0
    for (const [, query = '', heading = ''] of phrases) {
      const { records } = catalog.search.find(query, 0, 0, 10)
      const codes = Array.from(records, record => catalog.records.code(record))
      const rank = codes.findIndex(code => code.startsWith(heading)) + 1
      if (rank > 0) {
        found++
        reciprocal += 1 / rank
      }
    }
    t.ok(phrases.length > 100, `${phrases.length} phrases in ${lang}`)
    t.ok(found / phrases.length > FOUND_FLOOR, `${lang}: ${found} of ${phrases.length} found`)
    t.ok(reciprocal / phrases.length > RECIPROCAL_RANK_FLOOR, `${lang}: mean reciprocal rank`)
  }
  const rateText = (record: number) => catalog.meta.rates[catalog.rateIndex(record)]
  t.equal(rateText(catalog.trie.find('852321000000')), '5')
  t.equal(rateText(catalog.trie.find('240220')), '100', 'tobacco')
  t.equal(rateText(catalog.trie.find('851713')), '0', 'smartphones')
  t.equal(rateText(catalog.trie.find('010391')), '5', 'swine are not exempt')
})
