/**
 * Compiles every TypeScript file of the checkout for the tests: below node_modules/.cache, under the name of its source. Loading
 * TypeScript by hooks instead would cost each test process a second.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const COMPILED = join(ROOT, 'node_modules/.cache/hsapi-tests')
const FOLDERS = ['build', 'src', 'test']

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')
export const compiledName = file => join(COMPILED, relative(ROOT, file).replace(/\.ts$/, '.js'))

/** Modules of plain JavaScript stay where they are. */
function withPlainModules(file, text) {
  const isImport = /(^import .*? from |^\} from |await import\()(['"])(\.[^'"]*\.mjs)\2/gm
  return text.replace(isImport, (_, word, quote, path) => word + quote + new URL(path, pathToFileURL(file)).href + quote)
}

async function compile(file) {
  const compiled = compiledName(file)
  const made = statSync(compiled, { throwIfNoEntry: false })
  if (made !== undefined && made.mtimeMs > statSync(file).mtimeMs) return
  const url = pathToFileURL(file).href
  const { code } = await transform(withPlainModules(file, readFileSync(file, 'utf8')), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: url,
    define: { 'import.meta.url': JSON.stringify(url) },
  })
  mkdirSync(dirname(compiled), { recursive: true })
  // a new file in its place: another process may be reading the old one
  const part = `${compiled}.${process.pid}`
  writeFileSync(part, code)
  renameSync(part, compiled)
}

export async function compileAll() {
  mkdirSync(COMPILED, { recursive: true })
  writeFileSync(join(COMPILED, 'package.json'), '{"type":"module"}')
  const names = FOLDERS.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true }).map(name => join(ROOT, folder, name)),
  )
  await Promise.all(names.filter(isSource).map(compile))
}
