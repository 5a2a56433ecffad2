/** Rounds that alternate between cases, so that a temporary disturbance of the machine affects every case, not just one. */
import { measure } from './wrk.mjs'

/**
 * @param {{name: string, server: object, load: object}[]} cases
 * @returns {Promise<object[]>} for each case, the cheapest round and all rounds
 */
export async function alternate(cases, { rounds, seconds, warmSeconds = 1 }, progress) {
  const taken = cases.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    // every other round runs backwards, so that no case always follows the same one
    const order = cases.map((_, i) => (round % 2 === 0 ? i : cases.length - 1 - i))
    for (const i of order) {
      const { name, server, load } = cases[i]
      progress.step(round === 0 ? `warm-up: ${name}` : `round ${round} of ${rounds}: ${name}`)
      const result = await measure(server, { ...load, seconds: round === 0 ? warmSeconds : seconds })
      if (round > 0) taken[i].push(result)
    }
  }
  return taken.map(results => cheapest(results.map(result => ({ ...result, rounds: [result.microseconds] }))))
}

/** The cheapest of several results of a case, with the highest throughput among them. */
function cheapest(results) {
  const best = results.reduce((a, b) => (b.microseconds < a.microseconds ? b : a))
  return {
    microseconds: best.microseconds,
    perSecond: Math.max(...results.map(({ perSecond }) => perSecond)),
    busy: best.busy,
    rounds: results.flatMap(({ rounds }) => rounds),
  }
}

/**
 * Measures several starts of the processes: a program's memory layout changes its cost by a few percent for as long as it runs.
 * @param {(generation: number) => Promise<object[]>} run returns the results by case; later runs may leave out cases at the end
 */
export async function acrossStarts(starts, run) {
  const all = []
  for (let generation = 0; generation < starts; generation++) all.push(await run(generation))
  return all[0].map((result, i) => ({
    ...result,
    ...cheapest(all.flatMap(results => results[i] ?? [])),
  }))
}
