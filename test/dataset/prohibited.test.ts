import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { shippedSnapshot } from '../support/service.js'

const catalog = new Catalog(await shippedSnapshot())

t.test('a control is "prohibited" only if it applies to all goods of its code', async t => {
  for (const { kind, reason, scope } of catalog.meta.controls) {
    if (kind !== 'prohibited') continue
    t.notMatch(
      catalog.meta.controlReasons[reason]?.en,
      /^Only /,
      `the reason of a prohibition in ${scope} has no "Only": ${reason}`,
    )
  }
})

t.test('cars are not prohibited in Oman, although right-hand-drive cars are; swine are prohibited', async t => {
  const oman = catalog.countries.find('OM')?.newest
  t.equal(oman?.statusOf(catalog.trie.find('870323')), 'normal')
  t.equal(oman?.statusOf(catalog.trie.find('0103')), 'prohibited')
})
