import { readFileSync } from 'node:fs'
import t from 'tap'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

t.test('the README quotes the committed benchmark report, row for row', async t => {
  const rows = (text: string, from: string) => {
    const lines = text.slice(text.indexOf(from)).split('\n')
    const start = lines.findIndex(line => line.startsWith('| What'))
    const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'))
    return lines.slice(start, end)
  }
  const report = rows(read('bench/results/latest.md'), '## Targets')
  t.ok(report.length > 20)
  t.strictSame(rows(read('README.md'), '## How fast it answers'), report)
})
