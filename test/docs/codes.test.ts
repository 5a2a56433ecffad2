import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { LEFT_OUT, WARNINGS } from '../../src/warnings.js'
import { ROOT } from '../support/cli.js'

t.test('docs/api-estimate.md lists exactly the existing codes of warnings, with their meanings', async t => {
  const page = readFileSync(join(ROOT, 'docs/api-estimate.md'), 'utf8')
  const section = page.slice(page.indexOf('## Codes of warnings')).split(/^## (?!Codes)/m)[0] ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, means]) => [code, means])
  const expected = Object.entries({ ...WARNINGS, ...LEFT_OUT }).map(([code, { means }]) => [code, means])
  t.strictSame(rows, expected)
})
