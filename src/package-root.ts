/** Finds files shipped with the program relative to its folder, not to the working directory. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Searches upwards, because sources are one level below the package folder, and compiled files two levels. */
function findPackageRoot(): string | undefined {
  const { url } = import.meta
  // the program is bundled as CommonJS
  if (url === undefined) return undefined
  let folder = dirname(fileURLToPath(url))
  while (folder !== dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'hsapi') return folder
    folder = dirname(folder)
  }
  return undefined
}

let cached: { root: string | undefined } | undefined

/** The package folder; undefined if the library is bundled into another program, where importing it must not fail. */
export function packageRootIfAny(): string | undefined {
  cached ??= { root: findPackageRoot() }
  return cached.root
}

export function packageRoot(): string {
  const root = packageRootIfAny()
  if (root === undefined) throw new Error('no folder above the program has the package.json of hsapi')
  return root
}

/** The file that a thread runs. It is bundled, so it needs no other file. */
export function threadEntry(name: string): string {
  return join(packageRoot(), 'dist', 'src', 'process', name)
}

/** Whether the program runs in a checkout: the npm package contains no sources. */
export function isCheckout(): boolean {
  const root = packageRootIfAny()
  return root !== undefined && existsSync(join(root, 'src'))
}
