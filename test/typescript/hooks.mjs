/** Lets Node import TypeScript: `.js` leads to the `.ts` beside it, and that is handed over as JavaScript. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compiledText } from './cache.mjs'

/** What tap's TypeScript plugin loads in each process, three seconds of CPU; plugins cannot be left out without rebuilding tap. */
const TAP_LOADER = '@isaacs/ts-node-temp-fork-for-pr-2009/import'
const EMPTY_MODULE = 'data:text/javascript,'

export async function resolve(specifier, context, next) {
  if (specifier === TAP_LOADER) return { url: EMPTY_MODULE, format: 'module', shortCircuit: true }
  const { parentURL = '' } = context
  if (specifier.startsWith('.') && specifier.endsWith('.js') && parentURL.endsWith('.ts')) {
    const url = new URL(`${specifier.slice(0, -'.js'.length)}.ts`, parentURL)
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: await compiledText(fileURLToPath(url)), shortCircuit: true }
}
