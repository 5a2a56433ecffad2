/** Every alert has its paragraph in the runbook, and every paragraph its alert. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ROOT } from '../support/cli.js'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const rules: { alert: string; annotations: Record<string, string> }[] = parse(read('deploy/prometheus/alerts.yml')).groups[0]
  .rules
const runbook = read('docs/runbook.md')

t.test('alerts and paragraphs of the runbook are the same', async t => {
  const headings = [...runbook.matchAll(/^### (.*)$/gm)].map(([, name]) => name)
  t.strictSame(headings.sort(), rules.map(({ alert }) => alert).sort())
  for (const { alert, annotations } of rules) t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
})

t.test('every paragraph says what the alert means, what to look at and what to do', async t => {
  for (const part of runbook.split(/^### /m).slice(1)) {
    const [name = ''] = part.split('\n')
    for (const word of ['**Meaning.**', '**Look at**', '**Do']) t.ok(part.includes(word), `${name}: ${word}`)
  }
})
