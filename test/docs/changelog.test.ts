import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const HEADING = /^## (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2}|unreleased)$/

t.test('every version in the changelog has a date, except that the newest may be unreleased', async t => {
  const headings = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gm) ?? []
  t.ok(headings.length > 0)
  for (const [i, heading] of headings.entries()) {
    const [, , date] = HEADING.exec(heading) ?? []
    t.ok(date, `the heading has a date: ${heading}`)
    if (i > 0) t.not(date, 'unreleased', `an older version is released: ${heading}`)
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const versions = headings.map(heading => HEADING.exec(heading)?.[1])
  t.ok(versions.slice(0, 2).includes(version), 'the version of package.json is one of the two newest')
})

t.test('npm version sets version and date of the unreleased changes, and fails if there are none', async t => {
  const folder = temporaryDirectory(t)
  mkdirSync(join(folder, 'scripts'))
  cpSync(join(ROOT, 'scripts/date-changelog.mjs'), join(folder, 'scripts/date-changelog.mjs'))
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 1.1.0, unreleased\n\n- More.\n\n## 1.0.0, 2026-01-02\n')
  const date = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/date-changelog.mjs', ...args], {
      cwd: folder,
      env: { npm_package_version: '2.0.0' },
      encoding: 'utf8',
    })
  t.equal(date('--check').status, 0)
  t.match(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), 'unreleased', 'a check changes nothing')
  t.equal(date().status, 0)
  t.match(
    readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
    /^# Changelog\n\n## 2\.0\.0, \d{4}-\d{2}-\d{2}\n\n- More\.\n\n## 1\.0\.0, 2026-01-02\n$/,
  )
  const again = date('--check')
  t.equal(again.status, 1)
  t.match(again.stderr, /nothing to release/)
})
