/** What is shipped beside the program, its dataset and its snapshot, is found from here and not from the working directory. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The nearest folder upwards that is ours: one level up from the source, two from the compiled file. */
function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (folder !== dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'hsapi') return folder
    folder = dirname(folder)
  }
  throw new Error('hsapi stands in no folder whose package.json bears its name')
}

export const PACKAGE_ROOT = findPackageRoot()

/** Where sources are, someone works on the program; what npm installs has none. */
export const IS_CHECKOUT = existsSync(join(PACKAGE_ROOT, 'src'))

/** The compiled dataset beside the program. */
export function shippedSnapshot(): string {
  return join(PACKAGE_ROOT, 'dist', 'hs.snapshot')
}
