/** Everything at once, before many processes look for it: each would load the compiler for what it misses. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transpiled } from './cache.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

for (const folder of ['build', 'src', 'test'])
  for (const name of readdirSync(join(ROOT, folder), { recursive: true }))
    if (name.endsWith('.ts') && !name.endsWith('.d.ts')) await transpiled(join(ROOT, folder, name))
