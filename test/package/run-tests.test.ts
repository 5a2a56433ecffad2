import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

t.test('the runner refuses a name without tests, given or in one of its lists', async t => {
  const named = spawnSync(process.execPath, [join(ROOT, 'test/run.mjs'), 'test/nowhere'], { encoding: 'utf8' })
  t.strictSame([named.status, named.stderr], [2, 'no tests in test/nowhere\n'])

  // a checkout without any of the files in the lists
  const directory = temporaryDirectory(t)
  mkdirSync(join(directory, 'test'))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  for (const name of ['run.mjs', 'compile.mjs']) cpSync(join(ROOT, 'test', name), join(directory, 'test', name))
  writeFileSync(join(directory, 'test', 'one.test.ts'), '')
  const listed = spawnSync(process.execPath, [join(directory, 'test/run.mjs'), 'test/one.test.ts'], { encoding: 'utf8' })
  t.equal(listed.status, 2)
  t.match(listed.stderr, /^no tests in test\/\S+, which a list in test\/run\.mjs names\n$/)
})
