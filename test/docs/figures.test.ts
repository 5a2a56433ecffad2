import { readFileSync } from 'node:fs'
import t from 'tap'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

t.test('the figures in the README are those of the committed benchmark report', async t => {
  const rows = (text: string, from: string) => {
    const lines = text.slice(text.indexOf(from)).split('\n')
    const start = lines.findIndex(line => line.startsWith('| What'))
    const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'))
    return lines.slice(start, end)
  }
  const report = rows(read('bench/results/x64.md'), '## Targets')
  const quoted = rows(read('README.md'), '## How fast it answers')
  t.ok(report.length > 20)
  t.equal(quoted.length, 2 + 8)
  for (const row of quoted) t.ok(report.includes(row), row)
  const [, date] = /from `npm run bench` \(([-0-9: ]+ UTC)/i.exec(read('README.md')) ?? []
  t.ok(read('bench/results/x64.md').includes(date ?? 'no date'), 'of the same run')
})
