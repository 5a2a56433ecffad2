/** What is shipped beside the program, its dataset and its snapshot, is found from here and not from the working directory. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The nearest folder upwards that is ours: one level up from the source, two from the compiled file. */
function findPackageRoot(): string | undefined {
  const { url } = import.meta
  // as in a bundle in CommonJS
  if (url === undefined) return undefined
  let folder = dirname(fileURLToPath(url))
  while (folder !== dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'hsapi') return folder
    folder = dirname(folder)
  }
  return undefined
}

let known: { root: string | undefined } | undefined

/** Undefined where the library was bundled into another program. Looked for when first needed: an import must not fail for it. */
export function packageRootIfAny(): string | undefined {
  known ??= { root: findPackageRoot() }
  return known.root
}

export function packageRoot(): string {
  const root = packageRootIfAny()
  if (root === undefined) throw new Error('hsapi is in no folder whose package.json has its name')
  return root
}

/** Where sources are, someone works on the program; what npm installs has none. */
export function isCheckout(): boolean {
  const root = packageRootIfAny()
  return root !== undefined && existsSync(join(root, 'src'))
}
