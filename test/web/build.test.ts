/** The build of the pages: the same sources give the same bytes, and nothing of earlier builds is left. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../src/package-root.js'
import { temporaryDirectory } from '../support/service.js'

const BUILT = join(packageRoot(), 'dist', 'web')

function filesOf(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).filter(name => statSync(join(folder, name)).isFile()).sort()
}

function build(folder: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(packageRoot(), 'dist', 'build', 'web', 'main.js'), folder])
  if (status !== 0) throw new Error(String(stderr))
}

t.test('a second build gives the same bytes, and removes files of earlier builds', async t => {
  const folder = temporaryDirectory(t)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets', 'main-0123456789.js'), 'of an earlier build')
  writeFileSync(join(folder, 'manifest.json'), '{')
  build(folder)
  t.strictSame(filesOf(folder), filesOf(BUILT))
  for (const name of filesOf(folder)) t.ok(readFileSync(join(folder, name)).equals(readFileSync(join(BUILT, name))), name)
  const before = filesOf(folder).map(name => statSync(join(folder, name)).mtimeMs)
  build(folder)
  const kept = filesOf(folder).filter((name, i) => statSync(join(folder, name)).mtimeMs === before[i])
  t.ok(kept.length > 15, 'files with a hash in their name are not written again')
})

t.test('licences of third-party code are included', async t => {
  const [file = ''] = filesOf(BUILT).filter(name => /licences-\w+\.txt$/.test(name))
  const text = readFileSync(join(BUILT, file), 'utf8')
  t.match(text, /SIL OPEN FONT LICENSE/i)
  t.match(text, /Apache License/)
})
