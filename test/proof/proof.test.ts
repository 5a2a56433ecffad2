/** Runs `npm run fuzz`, `npm run faults` and `npm run soak` for a short time with a fixed seed. */
import { join } from 'node:path'
import t from 'tap'
// @ts-expect-error: the proofs are plain JavaScript
import { TableReader } from '../../proof/fuzz/read-tables.mjs'
// @ts-expect-error
import { Stage } from '../../proof/shared/stage.mjs'
import { ROOT } from '../support/cli.js'
import { runProgram } from '../support/program.js'
import { ENGINES, FIXTURE } from '../support/service.js'

const proof = (name: string, ...options: string[]) => runProgram(process.execPath, [join(ROOT, 'proof', name), ...options])

const ON_FIXTURE = ['--dataset', FIXTURE]

for (const engine of ENGINES) {
  t.test(`mutated requests get answers according to the contract, and the server keeps working (${engine})`, async t => {
    const options = ['--requests', '15000', '--seed', '3', '--engine', engine]
    const { code, output } = await proof('fuzz.mjs', ...options, ...ON_FIXTURE)
    t.equal(code, 0, output)
    t.match(output, /nothing wrong\n$/)
    t.match(output, /\b1[5-9] tables read/)
  })

  t.test(`every count is exact under requests, key changes and reloads (${engine})`, async t => {
    const options = ['--seconds', '6', '--rate', '500', '--engine', engine]
    const { code, output } = await proof('soak.mjs', ...options, ...ON_FIXTURE)
    t.equal(code, 0, output)
    t.match(output, /nothing wrong\n$/)
  })
}

t.test('replicas keep their guarantees under key changes, reloads and faults', async t => {
  const options = ['--seconds', '20', '--rate', '200', '--replicas', '2', '--engine', ENGINES[0] as string]
  const { code, output } = await proof('soak-replicas.mjs', ...options, ...ON_FIXTURE)
  t.equal(code, 0, output)
  t.match(output, /nothing wrong\n$/)
})

/** The number of rounds for each fault. Rounds with several processes take longest. */
const ROUNDS = {
  kill: 1,
  'kill-keys': 2,
  writers: 1,
  disk: 1,
  output: 1,
  'key-file': 1,
  'other-user': 1,
  clock: 20,
  'bad-snapshot': 1,
}

for (const [name, rounds] of Object.entries(ROUNDS))
  t.test(`no guaranteed data is lost after the fault "${name}"`, async t => {
    const options = ['--only', name, '--rounds', String(rounds), '--engine', ENGINES[0] as string]
    const { code, output } = await proof('faults.mjs', ...options, ...ON_FIXTURE)
    t.equal(code, 0, output)
    t.comment(output)
  })

t.test('fuzz reports a table that takes too much processor time', async t => {
  const stage = await Stage.open(FIXTURE)
  const stock = { codes: stage.codes, phrases: ['horses'] }
  const strict = new TableReader({ seed: 3, stock, stage, hangMs: 0 })
  t.teardown(() => strict.end())
  t.match(await strict.read(0), /^(?:import|enrich) of a table \((?:csv|xlsx), .*\) took \d+ ms of CPU time$/)
  t.equal(strict.count, 1)
})

t.test('an invalid option is refused in one line with exit code 2', async t => {
  for (const [name, ...options] of [
    ['fuzz.mjs', '--requests', 'many'],
    ['faults.mjs', '--only', 'flood'],
    ['soak.mjs', '--minute', '1'],
    ['soak-replicas.mjs', '--replicas', '1'],
  ] as const) {
    const { code, output } = await proof(name, ...options)
    t.equal(code, 2)
    t.match(output, /^[\w-]+: .*\n$/)
  }
  t.match(await proof('fuzz.mjs', '--help'), { code: 0, output: /--only N/ })
})
