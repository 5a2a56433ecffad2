import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { requestReload, ServerClaim } from '../../src/process/data-folder.js'

t.test('an answer to an earlier request for a reload is not taken for the answer to this one', async t => {
  const directory = t.testdir()
  const claim = await ServerClaim.take(directory, false)
  t.teardown(() => claim.release())
  const lock = readdirSync(directory).find(name => /^server-.*\.lock$/.test(name)) ?? ''
  const earlier = { nonce: 'earlier', isLoaded: true, message: 'earlier' }
  writeFileSync(join(directory, lock.replace('.lock', '.reloaded')), JSON.stringify(earlier))
  claim.onReload(async () => ({ isLoaded: false, message: 'now' }))
  t.match(await requestReload(directory, 30_000), [{ isLoaded: false, message: 'now' }])
})
