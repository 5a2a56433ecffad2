/**
 * Loaded into every test: TypeScript by `hooks.mjs`. What tap brings for it reads the whole compiler in every process, three seconds of
 * a core for each test file.
 */
import { register } from 'node:module'

if (/\.(ts|tests\.mjs)$/.test(process.argv[1] ?? '')) {
  // what tests start is the program as it is shipped
  delete process.env.NODE_OPTIONS
  register('./hooks.mjs', import.meta.url)
}
