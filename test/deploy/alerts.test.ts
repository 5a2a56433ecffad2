import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ROOT } from '../support/cli.js'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const rules: { alert: string; annotations: Record<string, string> }[] = parse(read('deploy/prometheus/alerts.yml')).groups[0]
  .rules
const runbook = read('docs/runbook.md')

t.test('the runbook has exactly one section for each alert, and each alert links to it', async t => {
  const headings = [...runbook.matchAll(/^### (.*)$/gm)].map(([, name]) => name)
  t.strictSame(headings.sort(), rules.map(({ alert }) => alert).sort())
  for (const { alert, annotations } of rules) t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
})

t.test('every section of the runbook has the meaning of the alert, what to look at and what to do', async t => {
  for (const part of runbook.split(/^### /m).slice(1)) {
    const [name = ''] = part.split('\n')
    for (const word of ['**Meaning.**', '**Look at**', '**Do']) t.ok(part.includes(word), `the section ${name} has ${word}`)
  }
})
