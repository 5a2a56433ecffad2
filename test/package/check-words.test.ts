/** Tests the check for plain words, which `npm run lint` runs over code and documents. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const CODE = [
  '/** Whoever reads this',
  ' * has begun',
  ' * anew. */',
  "export const message = 'what is there is none of ours'",
  'export const whoever = 1 // a name is not prose',
  "export const word = 'begun'",
].join('\n')
const PAGE = ['The rate stands', 'in the list.', '', '```sh', 'anew', '```', '', 'Run `anew`. There is no key.'].join('\n')

function repository(t: Test, allowed: object) {
  const folder = temporaryDirectory(t)
  const baseline = join(folder, 'scripts/plain-words.json')
  mkdirSync(join(folder, 'scripts'))
  writeFileSync(baseline, JSON.stringify(allowed))
  writeFileSync(join(folder, 'code.ts'), CODE)
  writeFileSync(join(folder, 'page.md'), PAGE)
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
  const check = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/check-words.mjs'), ...args], { cwd: folder, encoding: 'utf8' })
  return { check, allowed: () => JSON.parse(readFileSync(baseline, 'utf8')) }
}

t.test('words to avoid are reported in comments, messages and pages, also if a phrase is wrapped', async t => {
  const { status, stderr } = repository(t, {}).check()
  t.equal(status, 1)
  t.strictSame(
    stderr
      .split('\n')
      .flatMap(line => /^(\S+: "[^"]+" \d)/.exec(line)?.[1] ?? [])
      .sort(),
    [
      'code.ts: "anew" 1',
      'code.ts: "begun" 1',
      'code.ts: "none of" 1',
      'code.ts: "what is there" 1',
      'code.ts: "whoever" 1',
      'page.md: "stands in" 1',
    ],
  )
})

t.test('occurrences in the list of exceptions are allowed, and the list must shrink when they are gone', async t => {
  const code = { anew: 1, begun: 1, 'none of': 1, 'what is there': 1, whoever: 1 }
  t.equal(repository(t, { 'code.ts': code, 'page.md': { 'stands in': 1 } }).check().status, 0)

  const stale = repository(t, { 'code.ts': { ...code, anew: 3 }, 'gone.ts': { anew: 1 } })
  t.match(stale.check(), { status: 1, stderr: /lists words that are gone/ })
  t.equal(stale.check('--shrink').status, 1, 'a word that the list does not allow is still reported')
  t.strictSame(stale.allowed(), { 'code.ts': code }, '--shrink does not add words to the list')
})
