/** What the compiler is made of, as one number: where that changed, a snapshot of the same dataset is out of date. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** All that `hsapi build` runs to compile a dataset, below `dist`. Folders within these are other programs. */
const FOLDERS = [
  'build/checks',
  'build/compiler',
  'build/compiler/classifier',
  'build/dataset',
  'build/dataset/countries',
  'src/catalog',
  'src/catalog/classify',
  'src/catalog/search',
  'src/codes',
  'src/files',
  'src/snapshot',
  'src/text',
]
const FILES = ['src/day.js', 'src/errors.js', 'src/limits.js', 'src/lower-bound.js', 'src/package-root.js']

/** Those files in a program's folder. */
export function compilerFiles(root: string): string[] {
  const inFolders = FOLDERS.flatMap(folder => scriptsIn(join(root, 'dist', folder)).map(name => join('dist', folder, name)))
  return [...inFolders, ...FILES.map(file => join('dist', file))]
}

/** SHA-256 over them and over the versions of the libraries; a few milliseconds. */
export function compilerDigest(root: string): Buffer {
  const hash = createHash('sha256')
  for (const name of ['package.json', ...compilerFiles(root)]) hash.update(`${name}\0`).update(readFileSync(join(root, name)))
  return hash.digest()
}

function scriptsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.js'))
    .sort()
}
