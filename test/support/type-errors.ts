import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { ROOT } from './cli.js'
import { runProgram } from './program.js'
import { temporaryDirectory } from './service.js'

/**
 * Returns the errors of the TypeScript compiler. `compilerOptions` are those of a tsconfig.json. `source` is the text of a
 * program, and `files` are the paths of programs.
 */
export async function typeErrors(
  t: Test,
  compilerOptions: Record<string, unknown>,
  { source, files = [] }: { source?: string; files?: readonly string[] },
): Promise<string[]> {
  const folder = temporaryDirectory(t)
  if (source !== undefined) writeFileSync(join(folder, 'program.ts'), source)
  const config = {
    compilerOptions: { noEmit: true, ...compilerOptions },
    files: [...files, ...(source === undefined ? [] : ['program.ts'])],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { code, output } = await runProgram(tsc, ['-p', folder, '--pretty', 'false'])
  const errors = output.split('\n').filter(line => / error TS[0-9]+: |^error TS/.test(line))
  if (code !== 0 && errors.length === 0) throw new Error(`tsc ended with ${code}: ${output}`)
  return errors
}
