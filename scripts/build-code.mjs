/**
 * Compiles the program (scripts/compile.mjs) and its pages (build/web), unless nothing has changed since the last time: names, sizes
 * and times are compared of the files they are made of and of the files that were made. Without dist/code-state all is compiled.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The last one tells which packages are installed. */
const SOURCES = ['src', 'build', 'docs', 'scripts', 'dataset/word-forms.csv', 'package.json', 'node_modules/.package-lock.json']
const MADE = ['dist/src', 'dist/build', 'dist/web']
const LAST_STATE = join(ROOT, 'dist/code-state')

const stat = file => statSync(join(ROOT, file), { throwIfNoEntry: false })

function filesIn(path) {
  if (!stat(path)?.isDirectory()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true })
    .map(name => join(path, name))
    .filter(file => stat(file)?.isFile())
    .sort()
}

function state() {
  const hash = createHash('sha256')
  // what is measured is compiled in another way
  hash.update(process.env.NODE_V8_COVERAGE === undefined ? 'plain' : 'measured')
  for (const file of [...SOURCES, ...MADE].flatMap(filesIn)) {
    const { size, mtimeMs } = stat(file) ?? {}
    hash.update(`\n${file} ${size} ${mtimeMs}`)
  }
  return hash.digest('hex')
}

function lastState() {
  try {
    return readFileSync(LAST_STATE, 'utf8')
  } catch {
    return undefined
  }
}

if (lastState() !== state()) {
  rmSync(LAST_STATE, { force: true })
  await import('./compile.mjs')
  await import('../dist/build/web/main.js')
  writeFileSync(LAST_STATE, state())
}
