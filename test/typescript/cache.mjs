/**
 * Every TypeScript file of the checkout as JavaScript, below node_modules/.cache under the name of its source. `compileAll` fills it
 * before many processes start; a file that was changed since is compiled when a test imports it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/hsapi-typescript')
const FOLDERS = ['build', 'src', 'test']

const isSource = name => name.endsWith('.ts') && !name.endsWith('.d.ts')
const compiledName = file => join(CACHE, relative(ROOT, file).replace(/\.ts$/, '.js'))

async function compile(file) {
  // imported here: a process that finds all its files compiled does without
  const { transform } = await import('esbuild')
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: pathToFileURL(file).href,
  })
  const compiled = compiledName(file)
  mkdirSync(dirname(compiled), { recursive: true })
  // renamed into place: another process may be reading it
  const part = `${compiled}.${process.pid}`
  writeFileSync(part, code)
  renameSync(part, compiled)
  return code
}

function cached(file) {
  const compiled = compiledName(file)
  const made = statSync(compiled, { throwIfNoEntry: false })
  return made !== undefined && made.mtimeMs > statSync(file).mtimeMs ? readFileSync(compiled, 'utf8') : undefined
}

/** The JavaScript of a source file. */
export const compiledText = async file => cached(file) ?? compile(file)

export async function compileAll() {
  const names = FOLDERS.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true }).map(name => join(ROOT, folder, name)),
  )
  await Promise.all(names.filter(isSource).map(compiledText))
}
