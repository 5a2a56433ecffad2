import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

t.test('the test runner refuses a name without tests, both as an argument and in its own lists', async t => {
  const byArgument = spawnSync(process.execPath, [join(ROOT, 'test/run.mjs'), 'test/nowhere'], { encoding: 'utf8' })
  t.strictSame([byArgument.status, byArgument.stderr], [2, 'no tests in test/nowhere\n'])

  // a checkout with only one test file, which is in none of the lists
  const directory = temporaryDirectory(t)
  mkdirSync(join(directory, 'test'))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  for (const name of ['run.mjs', 'compile.mjs']) cpSync(join(ROOT, 'test', name), join(directory, 'test', name))
  writeFileSync(join(directory, 'test', 'one.test.ts'), '')
  const byList = spawnSync(process.execPath, [join(directory, 'test/run.mjs'), 'test/one.test.ts'], { encoding: 'utf8' })
  t.equal(byList.status, 2)
  t.match(byList.stderr, /^no tests in test\/\S+, which a list in test\/run\.mjs names\n$/)
})
