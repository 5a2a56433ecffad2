import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import t from 'tap'
import { compilerDigest, compilerFiles } from '../../../build/compiler/compiler-digest.js'
import { ROOT, run, smallCheckout } from '../../support/cli.js'
import { FIXTURE } from '../../support/service.js'

const IMPORT = /^(?:import|export)\b(?!\s+type\b)[^'"]*?from\s+'(\.[^']+)'/gm

/** Returns the entry files and every source that they import, directly or indirectly, without type imports. */
function reachable(entries: readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...entries]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    found.add(file)
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT))
      open.push(normalize(join(dirname(file), path)).replace(/\.js$/, '.ts'))
  }
  return found
}

t.test('the digest covers every file that runs when a dataset is compiled', async t => {
  const sources = reachable([
    'build/dataset/read.ts',
    'build/checks/check.ts',
    'build/compiler/compile.ts',
    'src/snapshot/write.ts',
  ])
  const digested = compilerFiles(ROOT).map(file => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'))
  t.ok(sources.size > 40, `the compiler has ${sources.size} files, more than 40 expected`)
  t.strictSame(
    [...sources].filter(file => !digested.includes(file)),
    [],
  )
  t.notOk(
    digested.some(file => file.startsWith('build/web')),
    'the digest does not cover the code of the pages',
  )
})

t.test('a snapshot is out of date after a change to the compiler, even if the dataset has not changed', async t => {
  const { root, main } = smallCheckout(t)
  const args = ['build', '--dataset', FIXTURE, '--out', join(root, 'x.snapshot'), '--if-changed']
  const built = async () => (await run(args, {}, ROOT, main)).stdout
  t.match(await built(), /records/)
  t.match(await built(), /up to date/)
  const before = compilerDigest(root)
  const stems = join(root, 'dist', 'src', 'text', 'english.js')
  writeFileSync(stems, `${readFileSync(stems, 'utf8')}\n// changed\n`)
  t.notOk(compilerDigest(root).equals(before))
  t.match(await built(), /records/)
  const page = join(root, 'dist', 'src', 'help.js')
  writeFileSync(page, `${readFileSync(page, 'utf8')}\n// changed\n`)
  t.match(await built(), /up to date/, 'files that are not part of the compiler do not change the digest')
})
