/** The first results of a search vote for the codes that they belong to. */

/** Results that vote. */
export const VOTERS = 50
/** The first result's vote is 1 / RANK_OFFSET. */
const RANK_OFFSET = 2

/** The votes by code: `codeOf` gives the record that a result votes for, or -1. */
export function votesOf(results: readonly number[], codeOf: (result: number) => number): Map<number, number> {
  const votes = new Map<number, number>()
  for (const [rank, result] of results.entries()) {
    const code = codeOf(result)
    if (code >= 0) votes.set(code, (votes.get(code) ?? 0) + 1 / (RANK_OFFSET + rank))
  }
  return votes
}
