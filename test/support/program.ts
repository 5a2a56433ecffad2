/** Runs other programs without the NODE_OPTIONS of the test runner. */
import { spawn } from 'node:child_process'
import { ROOT } from './cli.js'

export function runProgram(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    const bare = ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', command, ...args]
    const child = spawn('/bin/sh', bare, { cwd: ROOT, env })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', data => {
        output += data
      })
    child.on('close', code => resolve({ code, output }))
  })
}
