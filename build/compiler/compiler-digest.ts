/** One digest of the compiler's files: if it changes, a snapshot of the same dataset is out of date. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Everything that `hsapi build` runs to compile a dataset, below `dist`. Subfolders that are not listed belong to other
 * programs.
 */
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

/** The same files, below a program's root folder. */
export function compilerFiles(root: string): string[] {
  const inFolders = FOLDERS.flatMap(folder => scriptsIn(join(root, 'dist', folder)).map(name => join('dist', folder, name)))
  return [...inFolders, ...FILES.map(file => join('dist', file))]
}

/** SHA-256 over these files and the versions of the libraries. Takes a few milliseconds. */
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
