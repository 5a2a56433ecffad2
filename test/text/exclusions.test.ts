import t from 'tap'
import { splitExclusions, withoutExclusions } from '../../src/text/exclusions.js'

t.test('the excluded part of a text is separated from the rest', async t => {
  t.strictSame(splitExclusions('bottles, other than of glass'), { kept: 'bottles, ', excluded: [' of glass'] })
  t.equal(withoutExclusions('bottles (other than of glass) and jars'), 'bottles () and jars')
  t.equal(withoutExclusions('relays not exceeding 5 kg'), 'relays not exceeding 5 kg', 'a measure excludes nothing')
  t.strictSame(splitExclusions('زجاجات عدا البلاستيكية').excluded, [' البلاستيكية'])
})

t.test('a text that is only an exclusion is kept, because nothing else names its goods', async t => {
  for (const text of ['other than glass', '  except of glass (2)', 'excluding: glass', 'عدا البلاستيك', '12 - not glass'])
    t.strictSame(splitExclusions(text), { kept: text, excluded: [] }, text)
})
