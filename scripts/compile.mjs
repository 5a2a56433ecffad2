/**
 * Compiles src and build to dist: each TypeScript file becomes the JavaScript file of the same name, and what starts a process or a
 * thread is bundled, since loading some 200 modules one by one would take most of its start. esbuild only strips the types;
 * `npm run lint` checks them, and `npm pack` makes the declaration files, so that a start waits for neither.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['src', 'build']
const PROGRAMS = ['src/main.ts', 'src/process/worker.ts', 'src/process/load-thread.ts']
/** Which lines of a bundle's sources were run cannot be told exactly. */
const isBundled = process.env.NODE_V8_COVERAGE === undefined
/** What several programs share, or one of them loads only when needed. */
const CHUNKS = 'dist/src/chunks'

const filesIn = folder => readdirSync(join(ROOT, folder), { recursive: true }).map(name => join(folder, name.toString()))

/** Output of a source that was renamed or deleted would still be found by imports. */
function removeStale() {
  for (const folder of FOLDERS.map(name => join('dist', name)).filter(name => existsSync(join(ROOT, name))))
    for (const file of filesIn(folder)) {
      const source = join(ROOT, file.slice('dist/'.length).replace(/\.(d\.ts|js\.map|js)$/, '.ts'))
      if (/\.(ts|js|map)$/.test(file) && !existsSync(source)) rmSync(join(ROOT, file))
    }
}

console.error('compiling the program, less than a second')
removeStale()
const options = {
  absWorkingDir: ROOT,
  outbase: '.',
  outdir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
}
const sources = FOLDERS.flatMap(filesIn).filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
await build({ ...options, entryPoints: sources.filter(name => !isBundled || !PROGRAMS.includes(name)) })
if (isBundled)
  await build({
    ...options,
    entryPoints: PROGRAMS,
    bundle: true,
    splitting: true,
    chunkNames: relative('dist', join(CHUNKS, '[name]-[hash]')),
    packages: 'external',
  })
