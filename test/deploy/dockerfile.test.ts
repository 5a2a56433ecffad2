import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'

const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n')

/** The paths that the Dockerfile copies from the checkout. `COPY --from` is left out: it copies from another stage. */
const copied = lines('Dockerfile')
  .filter(line => /^COPY (?!.*--from=)/.test(line))
  .flatMap(line => line.split(' ').slice(1, -1))
  .filter(word => !word.startsWith('--'))

const [first, ...exceptions] = lines('.dockerignore').filter(line => line !== '' && !line.startsWith('#'))
const allowed = exceptions.map(line => line.replace(/^!/, ''))

const isAtOrBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

t.test('docker build finds every file that the Dockerfile copies', async t => {
  t.equal(first, '*', 'the first line of .dockerignore excludes everything')
  t.ok(copied.includes('package.json') && copied.includes('src'), 'the Dockerfile has COPY lines')
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
  for (const path of copied) {
    t.ok(
      allowed.some(entry => isAtOrBelow(path, entry)),
      `.dockerignore allows ${path}`,
    )
    t.ok(
      files.some(file => isAtOrBelow(file, path)),
      `${path} is in the repository`,
    )
  }
})

t.test('.dockerignore allows only paths that the Dockerfile copies', async t => {
  for (const entry of allowed)
    t.ok(
      copied.some(path => isAtOrBelow(path, entry)),
      `the Dockerfile copies ${entry}`,
    )
})
