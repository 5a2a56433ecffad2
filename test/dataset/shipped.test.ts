import { fileURLToPath } from 'node:url'
import t from 'tap'
import { checkDataset } from '../../build/check.js'
import { compile } from '../../build/compile.js'
import { readDataset } from '../../build/read.js'
import { Catalog } from '../../src/catalog/catalog.js'
import { decodeSnapshot } from '../../src/snapshot/load.js'
import { encodeSnapshot } from '../../src/snapshot/write.js'

const DATASET = fileURLToPath(new URL('../../dataset', import.meta.url))

t.test('the shipped dataset has no defects and answers', async t => {
  const dataset = await readDataset(DATASET)
  t.strictSame(checkDataset(dataset), [])
  const catalog = new Catalog(decodeSnapshot(encodeSnapshot(compile(dataset), dataset.digest), 'shipped'))
  for (const code of ['85', '8523', '852321', '85232100', '852321000000']) {
    t.ok(catalog.trie.find(code) >= 0, code)
  }
  t.equal(catalog.rateText(catalog.trie.find('852321000000')), '5')
  t.equal(catalog.rateText(catalog.trie.find('240220')), '100', 'tobacco')
  t.equal(catalog.rateText(catalog.trie.find('851713')), '0', 'smartphones')
  t.equal(catalog.rateText(catalog.trie.find('010391')), '5', 'swine are not exempt')
})
