/** Causes real faults, each of them many times. See proof/README.md. */
import { BadSnapshot } from './faults/bad-snapshot.mjs'
import { Clock } from './faults/clock.mjs'
import { Disk } from './faults/disk.mjs'
import { Failover } from './faults/failover.mjs'
import { KeyFileFault } from './faults/key-file.mjs'
import { Kill } from './faults/kill.mjs'
import { KillKeys } from './faults/kill-keys.mjs'
import { OtherUser } from './faults/other-user.mjs'
import { Output } from './faults/output.mjs'
import { RedisFault } from './faults/redis.mjs'
import { RedisStalls } from './faults/redis-stalls.mjs'
import { Reload } from './faults/reload.mjs'
import { Restart } from './faults/restart.mjs'
import { Stop } from './faults/stop.mjs'
import { Writers } from './faults/writers.mjs'
import { readOptions } from './shared/options.mjs'
import { DATASET_HELP, Stage } from './shared/stage.mjs'

/** Each fault with its default number of rounds. */
const FAULTS = {
  kill: { Fault: Kill, rounds: 10 },
  'kill-keys': { Fault: KillKeys, rounds: 10 },
  writers: { Fault: Writers, rounds: 10 },
  disk: { Fault: Disk, rounds: 3 },
  output: { Fault: Output, rounds: 3 },
  'key-file': { Fault: KeyFileFault, rounds: 5 },
  'other-user': { Fault: OtherUser, rounds: 3 },
  clock: { Fault: Clock, rounds: 200 },
  reload: { Fault: Reload, rounds: 100 },
  'bad-snapshot': { Fault: BadSnapshot, rounds: 3 },
  restart: { Fault: Restart, rounds: 20 },
  stop: { Fault: Stop, rounds: 5 },
  redis: { Fault: RedisFault, rounds: 5 },
  'redis-stalls': { Fault: RedisStalls, rounds: 3 },
  failover: { Fault: Failover, rounds: 3 },
}
const NAMES = Object.keys(FAULTS)

const HELP = `npm run faults -- [options]

  --rounds N      how often to run each fault, instead of its default (${NAMES.map(name => `${name} ${FAULTS[name].rounds}`).join(', ')})
  --seed N        the same seed makes the same random choices (1)
  --only NAME     run only this fault
  --engine NAME   uws or node (uws)
${DATASET_HELP}

Prints one line for each fault. The exit code is 1 if one of them failed. A fault that cannot be caused on this
machine is reported as skipped.`

const options = readOptions(
  'faults',
  {
    rounds: { max: 100_000 },
    seed: { min: 0, max: 2 ** 31 - 1, default: 1 },
    only: { choices: NAMES },
    engine: { choices: ['uws', 'node'], default: 'uws' },
    dataset: {},
  },
  HELP,
)
const print = line => process.stdout.write(`${line}\n`)

const stage = await Stage.open(options.dataset)
let failed = 0
for (const name of NAMES) {
  if (options.only !== undefined && options.only !== name) continue
  const { Fault, rounds } = FAULTS[name]
  const startMs = Date.now()
  const seconds = () => `${((Date.now() - startMs) / 1000).toFixed(0)} s`
  try {
    const { seed, engine } = options
    const result = await new Fault({ stage, rounds: options.rounds ?? rounds, seed, engine }).run()
    print(`${result.skipped ? 'skipped' : 'ok'}  ${name}: ${result.skipped ?? result} (${seconds()})`)
  } catch (error) {
    failed++
    print(
      `WRONG  ${name}: ${error.code === 'ERR_ASSERTION' ? error.message : error.stack} (--seed ${options.seed}, ${seconds()})`,
    )
  }
}
print(failed === 0 ? 'nothing wrong' : `${failed} wrong`)
process.exit(failed === 0 ? 0 : 1)
