import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { settingsHelp, settingsPage } from '../../src/settings/describe.js'
import { readSettings, TABLE, threadSettings, unknownVariables } from '../../src/settings/table.js'
import { ROOT } from '../support/cli.js'

const PAGE = join(ROOT, 'docs/settings.md')

t.test('docs/settings.md is up to date with the table of settings; if not, run npm run docs:settings', async t => {
  t.equal(readFileSync(PAGE, 'utf8'), settingsPage())
})

t.test('the help names every setting with its default, in lines of at most 130 characters', async t => {
  const help = settingsHelp({})
  for (const { name } of Object.values(TABLE)) t.match(help, new RegExp(`^  ${name} `, 'm'))
  t.match(help, /HSAPI_HOST +address to listen on \(127\.0\.0\.1\)/)
  t.match(help, /HSAPI_ADMIN_PORT .*\(none\)/s)
  t.ok(help.split('\n').every(line => line.length <= 130))
})

t.test('a variable that is not in the table is reported as unknown', async t => {
  const allSettings = Object.fromEntries(Object.values(TABLE).map(({ name }) => [name, '']))
  t.strictSame(unknownVariables({ ...allSettings, HSAPI_PROT: '1', PATH: '' }), ['HSAPI_PROT'])
})

t.test('worker threads do not get the admin token', async t => {
  const settings = readSettings({ HSAPI_ADMIN_TOKEN: 'secret', HSAPI_DRAIN_SECONDS: '7' })
  const shared = threadSettings(settings)
  t.equal(shared.drainMs, 7000)
  t.notOk('adminToken' in shared)
})
