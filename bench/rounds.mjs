/** Alternating rounds: what disturbs the machine for a while then disturbs every case, not one. */
import { measure } from './wrk.mjs'

/**
 * @param {{name: string, server: object, load: object}[]} cases
 * @returns {Promise<object[]>} per case the cheapest round, and all of them
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
  return taken.map(results => {
    const best = results.reduce((a, b) => (b.microseconds < a.microseconds ? b : a))
    return {
      microseconds: best.microseconds,
      perSecond: Math.max(...results.map(({ perSecond }) => perSecond)),
      busy: best.busy,
      rounds: results.map(({ microseconds }) => microseconds),
    }
  })
}
