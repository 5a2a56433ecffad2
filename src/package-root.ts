/** Finds files shipped with the program relative to its folder, not to the working directory. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Sources are one level below the package folder, compiled files two levels. */
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

let known: { root: string | undefined } | undefined

/** Undefined if the library is bundled into another program, where importing it must not fail. */
export function packageRootIfAny(): string | undefined {
  known ??= { root: findPackageRoot() }
  return known.root
}

export function packageRoot(): string {
  const root = packageRootIfAny()
  if (root === undefined) throw new Error('no folder above hsapi has its package.json')
  return root
}

/** The program of a thread. It is bundled, so it needs no other file. */
export function threadEntry(name: string): string {
  return join(packageRoot(), 'dist', 'src', 'process', name)
}

/** The npm package contains no sources. */
export function isCheckout(): boolean {
  const root = packageRootIfAny()
  return root !== undefined && existsSync(join(root, 'src'))
}
