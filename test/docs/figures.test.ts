import { readFileSync } from 'node:fs'
import t from 'tap'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Returns the lines of the first table after `heading` whose first column is `column`, including the header. */
function rows(path: string, heading: string, column: string): string[] {
  const text = read(path)
  const start = text.indexOf(heading)
  if (start < 0) throw new Error(`${path} has no ${heading}`)
  const lines = text.slice(start).split('\n')
  const first = lines.findIndex(line => line.startsWith(`| ${column}`))
  const end = lines.findIndex((line, i) => i > first && !line.startsWith('|'))
  return first < 0 ? [] : lines.slice(first, end)
}

t.test('the figures in docs/performance.md and the README equal those of the committed benchmark report', async t => {
  const report = rows('bench/results/x64.md', '## Targets', 'What')
  t.ok(report.length > 20)
  for (const [path, heading, count] of [
    ['docs/performance.md', '## How fast it answers', 8],
    ['README.md', '## How it compares', 4],
  ] as const) {
    const quoted = rows(path, heading, 'What')
    t.equal(quoted.length, 2 + count, `${path} has ${count} rows of figures`)
    for (const row of quoted) t.ok(report.includes(row), `the report has the row of ${path}: ${row}`)
  }
  const [, date] = /from `npm run bench` \(([-0-9: ]+ UTC)/i.exec(read('docs/performance.md')) ?? []
  t.ok(read('bench/results/x64.md').includes(date ?? 'no date'), 'docs/performance.md has the date of the report')
})

t.test('the relevance figures in the README equal those in docs/search-quality.md', async t => {
  const page = rows('docs/search-quality.md', '## How often it finds the expected code', 'Queries')
  const quoted = rows('README.md', '## How it compares', 'Queries')
  t.equal(quoted.length, 2 + 4)
  for (const row of quoted) t.ok(page.includes(row), `docs/search-quality.md has the row: ${row}`)
})

t.test('the fixed exchange rates in docs/countries.md, and their certainties, equal those of the dataset', async t => {
  const page = read('docs/countries.md')
  const table = rows('docs/countries.md', '### Fees, parcels and currencies', '| Fees')
  for (const country of ['SA', 'AE', 'OM', 'BH', 'QA']) {
    const { currency, peg } = JSON.parse(read(`dataset/countries/${country}/country.json`))
    const row = table.find(line => line.startsWith(`| ${country} |`))
    t.ok(row?.endsWith(`| ${currency} ${peg.usd} |`), `the row of ${country} ends with its fixed rate: ${row}`)
    t.equal(
      peg.certainty,
      ['SA', 'AE'].includes(country) ? 'published' : 'reported',
      `the certainty of the fixed rate of ${country}`,
    )
  }
  t.match(page, /fixed rates of SAR and AED [^.]*\(`certainty` `published`\)\. The others [^.]*\(`reported`\)/)
  t.match(page, "The central banks' own pages were not read.")
})
