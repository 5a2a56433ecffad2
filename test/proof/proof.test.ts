/** Short, seeded runs of what `npm run fuzz`, `npm run faults` and `npm run soak` do at length. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { ENGINES, FIXTURE } from '../support/service.js'

/** Without the settings that tests run under: these are programs of their own. */
function proof(name: string, ...options: string[]): Promise<{ code: number | null; output: string }> {
  const args = [join(ROOT, 'proof', name), ...options]
  return new Promise(resolve => {
    const command = ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', process.execPath, ...args]
    const child = spawn('/bin/sh', command, { cwd: ROOT })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', data => {
        output += data
      })
    child.on('close', code => resolve({ code, output }))
  })
}

const ON_FIXTURE = ['--dataset', FIXTURE]

for (const engine of ENGINES) {
  t.test(`mutated requests are answered by the contract, and harm nothing (${engine})`, async t => {
    const options = ['--requests', '15000', '--seed', '3', '--engine', engine]
    const { code, output } = await proof('fuzz.mjs', ...options, ...ON_FIXTURE)
    t.equal(code, 0, output)
    t.match(output, /nothing wrong\n$/)
  })

  t.test(`under a mix of requests, changes of keys and reloads every count is exact (${engine})`, async t => {
    const options = ['--seconds', '6', '--rate', '500', '--engine', engine]
    const { code, output } = await proof('soak.mjs', ...options, ...ON_FIXTURE)
    t.equal(code, 0, output)
    t.match(output, /nothing wrong\n$/)
  })
}

/** How often each: what is done by several processes takes longest. */
const ROUNDS = {
  kill: 1,
  'kill-keys': 2,
  writers: 1,
  disk: 1,
  output: 1,
  'other-user': 1,
  clock: 20,
  'bad-snapshot': 1,
}

for (const [name, rounds] of Object.entries(ROUNDS))
  t.test(`after this fault nothing is lost that was promised: ${name}`, async t => {
    const options = ['--only', name, '--rounds', String(rounds), '--engine', ENGINES[0] as string]
    const { code, output } = await proof('faults.mjs', ...options, ...ON_FIXTURE)
    t.equal(code, 0, output)
    t.comment(output)
  })

t.test('a wrong option is one sentence and exit code 2', async t => {
  for (const [name, ...options] of [
    ['fuzz.mjs', '--requests', 'many'],
    ['faults.mjs', '--only', 'flood'],
    ['soak.mjs', '--minute', '1'],
  ] as const) {
    const { code, output } = await proof(name, ...options)
    t.equal(code, 2)
    t.match(output, /^\w+: .*\n$/)
  }
  t.match(await proof('fuzz.mjs', '--help'), { code: 0, output: /--only N/ })
})
