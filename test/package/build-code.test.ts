/** Tests `npm run build:code`, the first step of every start and test run. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const COPIED = [
  'package.json',
  'tsconfig.json',
  'src',
  'build',
  'docs',
  'scripts',
  'dataset/word-forms.csv',
  'dist/src',
  'dist/build',
  'dist/web',
]

t.test('code is compiled again only if a source or an output has changed', async t => {
  const folder = temporaryDirectory(t)
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const build = () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-code.mjs'], { cwd: folder, encoding: 'utf8' })
    t.equal(status, 0, stderr)
    return stderr
  }
  const manifest = join(folder, 'dist/web/manifest.json')
  t.match(build(), /^compiling the program/, 'the first run compiles')
  const before = statSync(manifest).mtimeMs
  t.equal(build(), '')
  t.equal(statSync(manifest).mtimeMs, before, 'a run without changes writes nothing')

  // a change must be noticed even if the file has an older time
  appendFileSync(join(folder, 'src/help.ts'), 'export const ADDED = 1\n')
  utimesSync(join(folder, 'src/help.ts'), 1e9, 1e9)
  rmSync(manifest)
  t.match(build(), /^compiling the program/)
  t.match(readFileSync(join(folder, 'dist/src/help.js'), 'utf8'), 'ADDED')
  t.ok(statSync(manifest).isFile())
  t.equal(build(), '')
})
