import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PATH = /`((?:bench|build|deploy|docs|proof|scripts|src|test)\/[\w./-]+\.\w+)`/g

const documents = [
  ...readdirSync(ROOT).filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...['docs', 'docs/decisions', 'proof', 'bench', 'deploy'].flatMap(folder =>
    readdirSync(join(ROOT, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => join(folder, name)),
  ),
]

t.test('every file that a document names exists', async t => {
  let named = 0
  for (const document of documents)
    for (const [, path = ''] of readFileSync(join(ROOT, document), 'utf8').matchAll(PATH)) {
      named++
      t.ok(existsSync(join(ROOT, path)), `${path}, named in ${document}, exists`)
    }
  t.ok(named > 50, `documents name ${named} files`)
})
