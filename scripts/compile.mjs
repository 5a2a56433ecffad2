/**
 * Compiles src and build to dist. Each TypeScript file becomes the JavaScript file of the same name. Entry points of processes
 * and threads are bundled, because loading some 200 modules one by one would take most of their start. esbuild only strips the
 * types: `npm run lint` checks them, and `npm pack` makes the declaration files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['src', 'build']
const PROGRAMS = ['src/main.ts', 'src/process/worker.ts', 'src/process/load-thread.ts']
/** Coverage is not exact for bundles, and every process would write the source maps into its report. */
const isMeasured = process.env.NODE_V8_COVERAGE !== undefined
/** Code that several programs share, or that a program loads only when needed. */
const CHUNKS = 'dist/src/chunks'

const filesIn = folder => readdirSync(join(ROOT, folder), { recursive: true }).map(name => join(folder, name.toString()))

console.error('compiling the program, less than a second')
const options = {
  absWorkingDir: ROOT,
  outbase: '.',
  outdir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: !isMeasured,
  sourcesContent: false,
  logLevel: 'warning',
  write: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
}
const sources = FOLDERS.flatMap(filesIn).filter(name => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
const { outputFiles: modules } = await build({
  ...options,
  entryPoints: sources.filter(name => isMeasured || !PROGRAMS.includes(name)),
})
const programs = {
  ...options,
  entryPoints: PROGRAMS,
  bundle: true,
  splitting: true,
  chunkNames: relative('dist', join(CHUNKS, '[name]-[hash]')),
  packages: 'external',
}
const made = isMeasured ? modules : [...modules, ...(await build(programs)).outputFiles]
const madePaths = new Set(made.map(({ path }) => path))

/** Replaces the file with a rename, and only if it differs, because the program may be running. */
function write({ path, contents }) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.${process.pid}`
  // npm makes the program executable only when it installs a package
  const isProgram = path === join(ROOT, 'dist/src/main.js')
  writeFileSync(part, contents, { mode: isProgram ? 0o755 : 0o644 })
  renameSync(part, path)
}

/** Deletes the output of sources that were renamed or deleted: imports would still find it. */
function isStale(file) {
  const source = file.slice('dist/'.length).replace(/\.d\.ts$/, '.ts')
  if (file.endsWith('.d.ts')) return ![source, `${source}x`].some(name => existsSync(join(ROOT, name)))
  return /\.(js|map)$/.test(file) && !madePaths.has(join(ROOT, file))
}

made.forEach(write)
for (const file of FOLDERS.flatMap(name => filesIn(join('dist', name))).filter(isStale)) rmSync(join(ROOT, file))
