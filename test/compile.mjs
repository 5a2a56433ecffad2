/**
 * Compiles the tests to node_modules/.cache, where they import the compiled program from dist. Compiling while loading would
 * cost each test process a second.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const COMPILED = join(ROOT, 'node_modules/.cache/hsapi-tests')

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')
export const compiledName = file => join(COMPILED, relative(ROOT, file).replace(/\.ts$/, '.js'))

/**
 * Returns the URL that replaces an import: that of a compiled file in dist, or of an .mjs file. An import of another test file
 * is not replaced: the result is undefined.
 */
function replacementFor(imported) {
  if (imported.endsWith('.mjs')) return pathToFileURL(imported).href
  const path = relative(ROOT, imported)
  return /^(src|build)\//.test(path) ? pathToFileURL(join(ROOT, 'dist', path)).href : undefined
}

function withReplacedImports(file, text) {
  const isImport = /(^import .*? from |^\} from |^import |await import\()(['"])(\.[^'"]*)\2/gm
  return text.replace(isImport, (whole, word, quote, path) => {
    const url = replacementFor(join(dirname(file), path))
    return url === undefined ? whole : word + quote + url + quote
  })
}

async function compile(file) {
  const compiled = compiledName(file)
  const compiledMs = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if ([file, fileURLToPath(import.meta.url)].every(source => statSync(source).mtimeMs < compiledMs)) return
  const url = pathToFileURL(file).href
  const { code } = await transform(withReplacedImports(file, readFileSync(file, 'utf8')), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: url,
    define: { 'import.meta.url': JSON.stringify(url) },
  })
  mkdirSync(dirname(compiled), { recursive: true })
  // a rename, because another process may be reading the old file
  const temporary = `${compiled}.${process.pid}`
  writeFileSync(temporary, code)
  renameSync(temporary, compiled)
}

export async function compileTests() {
  mkdirSync(COMPILED, { recursive: true })
  writeFileSync(join(COMPILED, 'package.json'), '{"type":"module"}')
  const names = readdirSync(join(ROOT, 'test'), { recursive: true }).map(name => join(ROOT, 'test', name))
  await Promise.all(names.filter(isSource).map(compile))
}
