/**
 * Compiles the tests to node_modules/.cache, each under the name of its source. They import the compiled program in dist. Loading
 * TypeScript through hooks instead would cost each test process a second.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const COMPILED = join(ROOT, 'node_modules/.cache/hsapi-tests')

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')
export const compiledName = file => join(COMPILED, relative(ROOT, file).replace(/\.ts$/, '.js'))

/** The URL of an import in the compiled test: a file in dist, or the .mjs file itself; undefined for imports within the tests. */
function addressOf(imported) {
  if (imported.endsWith('.mjs')) return pathToFileURL(imported).href
  const path = relative(ROOT, imported)
  return /^(src|build)\//.test(path) ? pathToFileURL(join(ROOT, 'dist', path)).href : undefined
}

function withAddresses(file, text) {
  const isImport = /(^import .*? from |^\} from |^import |await import\()(['"])(\.[^'"]*)\2/gm
  return text.replace(isImport, (whole, word, quote, path) => {
    const address = addressOf(join(dirname(file), path))
    return address === undefined ? whole : word + quote + address + quote
  })
}

async function compile(file) {
  const compiled = compiledName(file)
  const made = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if ([file, fileURLToPath(import.meta.url)].every(source => statSync(source).mtimeMs < made)) return
  const url = pathToFileURL(file).href
  const { code } = await transform(withAddresses(file, readFileSync(file, 'utf8')), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: url,
    define: { 'import.meta.url': JSON.stringify(url) },
  })
  mkdirSync(dirname(compiled), { recursive: true })
  // replaced with a rename, because another process may be reading the old file
  const part = `${compiled}.${process.pid}`
  writeFileSync(part, code)
  renameSync(part, compiled)
}

export async function compileTests() {
  mkdirSync(COMPILED, { recursive: true })
  writeFileSync(join(COMPILED, 'package.json'), '{"type":"module"}')
  const names = readdirSync(join(ROOT, 'test'), { recursive: true }).map(name => join(ROOT, 'test', name))
  await Promise.all(names.filter(isSource).map(compile))
}
