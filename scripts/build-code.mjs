/**
 * Compiles the program (scripts/compile.mjs) and its pages (build/web) if the name, size or time of a source or output has
 * changed since the last time. Delete dist/code-state to force it.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The last entry shows which packages are installed. */
const SOURCES = [
  'src',
  'build',
  'docs',
  'scripts',
  'dataset/word-forms.csv',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
]
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

function stateOf(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesIn)) {
    const { size, mtimeMs } = stat(file) ?? {}
    hash.update(`${file} ${size} ${mtimeMs}\n`)
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

// coverage needs a different kind of output
const kind = process.env.NODE_V8_COVERAGE === undefined ? 'plain' : 'measured'
// read before compiling, so that a source that is saved in the meantime is compiled the next time
const sources = stateOf(SOURCES)
const state = () => `${kind} ${sources} ${stateOf(MADE)}`

if (lastState() !== state()) {
  rmSync(LAST_STATE, { force: true })
  await import('./compile.mjs')
  await import('../dist/build/web/main.js')
  writeFileSync(LAST_STATE, state())
}
