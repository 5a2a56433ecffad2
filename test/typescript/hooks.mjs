/** `.js` leads to the `.ts` beside it, and that is handed to Node as JavaScript. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transpiled } from './cache.mjs'

/** What tap's plugin loads in each process; plugins cannot be switched off without building tap anew. */
const OF_TAP = '@isaacs/ts-node-temp-fork-for-pr-2009/import'
const NOTHING = 'data:text/javascript,'

export async function resolve(specifier, context, next) {
  if (specifier === OF_TAP) return { url: NOTHING, format: 'module', shortCircuit: true }
  const { parentURL = '' } = context
  if (specifier.startsWith('.') && specifier.endsWith('.js') && parentURL.endsWith('.ts')) {
    const url = new URL(`${specifier.slice(0, -'.js'.length)}.ts`, parentURL)
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: await transpiled(fileURLToPath(url)), shortCircuit: true }
}
