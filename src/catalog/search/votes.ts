/** Stage 7: the first results vote for their headings, and move up with them. */

/** Results that vote; independent of the page, so that pages agree on the order. */
export const VOTERS = 50
/** The first result's vote is 1 / RANK_OFFSET. */
const RANK_OFFSET = 2
/** Factor for each further code of a heading, so that one heading does not fill the page. */
const REPEAT_SHARE = 0.85

const voteOf = (rank: number): number => 1 / (RANK_OFFSET + rank)

/** `headingOf`: -1 for a result without a heading, which has no vote. */
export function votesOf(results: readonly number[], headingOf: (result: number) => number): Map<number, number> {
  const votes = new Map<number, number>()
  for (const [rank, result] of results.entries()) {
    const heading = headingOf(result)
    if (heading >= 0) votes.set(heading, (votes.get(heading) ?? 0) + voteOf(rank))
  }
  return votes
}

/** Results by their own vote and those for their heading; the root keeps a heading of many results from outdoing the best one. */
export function orderByVotes(
  results: readonly number[],
  votes: ReadonlyMap<number, number>,
  headingOf: (result: number) => number,
): number[] {
  const shown = new Map<number, number>()
  const worth = results.map((result, rank) => {
    const heading = headingOf(result)
    const repeats = shown.get(heading) ?? 0
    shown.set(heading, repeats + 1)
    return Math.sqrt(votes.get(heading) ?? 0) * voteOf(rank) * REPEAT_SHARE ** repeats
  })
  const places = [...results.keys()].sort((a, b) => worth[b] - worth[a] || a - b)
  return places.map(place => results[place])
}
