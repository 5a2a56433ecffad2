import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { shippedSnapshot } from '../support/service.js'

const catalog = new Catalog(await shippedSnapshot())

t.test('goods are called prohibited only if all goods of the code are', async t => {
  for (const { kind, reason, scope } of catalog.meta.controls) {
    if (kind !== 'prohibited') continue
    t.notMatch(catalog.meta.controlReasons[reason]?.en, /^Only /, `${scope} ${reason}`)
  }
})

t.test('cars are not prohibited in Oman merely because right-hand-drive cars are', async t => {
  const oman = catalog.countries.find('OM')?.newest
  t.equal(oman?.statusOf(catalog.trie.find('870323')), 'normal')
  t.equal(oman?.statusOf(catalog.trie.find('0103')), 'prohibited')
})
