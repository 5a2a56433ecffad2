/** Compares the working tree with a git revision: the same cases, alternating, and a verdict for each. */
import { CASES, loadOf, verify } from './cases.mjs'
import { OptionError } from './option.mjs'
import { Progress } from './progress.mjs'
import { alternate } from './rounds.mjs'
import { withServers } from './servers/all.mjs'
import { checkOut, freezeWorkingTree } from './stage.mjs'
import { percent, verdict } from './verdict.mjs'

/** Number of processes of each program: two processes of the same program differ by a few percent. */
const GENERATIONS = 3
const ROUNDS = 3
export async function compare({ compare: revision, settings, isWanted }, folder) {
  const chosen = CASES.filter(({ id }) => isWanted(id))
  if (chosen.length === 0) throw new OptionError('--compare measures cases; --only must name one')
  const progress = new Progress(1 + GENERATIONS)
  progress.section('prepare')
  progress.step(`compiling ${revision}`)
  let old
  try {
    old = checkOut(revision, folder)
  } catch (error) {
    throw new OptionError(error.message)
  }
  process.once('exit', old.remove)
  progress.step('compiling the datasets')
  const stages = [await freezeWorkingTree(folder).prepare(), await old.stage.prepare()]
  const bests = chosen.map(() => [[], []])
  for (let generation = 0; generation < GENERATIONS; generation++) {
    progress.section(`processes ${generation + 1} of ${GENERATIONS}`)
    const results = await measureBoth(stages, chosen, settings, progress)
    for (const [i, [now, before]] of results.entries()) {
      bests[i][0].push(now.microseconds)
      bests[i][1].push(before.microseconds)
    }
  }
  progress.clear()
  const lines = chosen.map((one, i) => {
    const { now, before, change, margin, word } = verdict(...bests[i])
    return (
      `${one.name.padEnd(18)} ${before.toFixed(2).padStart(8)} → ${now.toFixed(2).padStart(8)} µs  ` +
      `${percent(change).padStart(8)}  ${word.padEnd(6)} (noise ±${(margin * 100).toFixed(1)} %)`
    )
  })
  process.stdout.write(
    `Server CPU per request, ${revision} (${old.commit}) → working tree, cheapest of ${GENERATIONS} processes ` +
      `with ${ROUNDS} alternating rounds each\n${lines.join('\n')}\n`,
  )
}

/** @returns {Promise<[object, object][]>} for each case the working tree's result and the revision's */
function measureBoth(stages, chosen, settings, progress) {
  return withServers(async keep => {
    const servers = [await keep(stages[0].serve()), await keep(stages[1].serve())]
    for (const one of chosen) for (const i of [0, 1]) await verify(servers[i], one, stages[i])
    const pairs = chosen.flatMap(one =>
      [0, 1].map(i => ({
        name: `${one.name}, ${i === 0 ? 'working tree' : 'revision'}`,
        server: servers[i],
        load: loadOf(one, stages[i]),
      })),
    )
    const results = await alternate(pairs, { ...settings, rounds: ROUNDS }, progress)
    return chosen.map((_, i) => [results[2 * i], results[2 * i + 1]])
  })
}
