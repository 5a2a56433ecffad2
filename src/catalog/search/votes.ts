/** Stage 7: the first results vote for their headings; results of headings with many votes move up. */
import type { Ranking } from './ranking.js'
import { repeatsOf } from './spread-headings.js'
import { REPEAT_WEIGHT, VOTE_OFFSET, VOTERS } from './weights.js'

const voteOf = (rank: number): number => 1 / (VOTE_OFFSET + rank)

/** The results that vote, by tier. */
export function votersOf({ full, partial }: Ranking): number[][] {
  full.extendFirst(VOTERS)
  const ofFull = full.first.slice(0, VOTERS)
  partial.extendFirst(VOTERS - ofFull.length)
  return [ofFull, partial.first.slice(0, VOTERS - ofFull.length)]
}

/** Votes by heading. `headingOf` has the heading of each record; a record without a heading has -1, and no vote. */
export function votesOf(records: readonly number[], headingOf: ArrayLike<number>): Map<number, number> {
  const votes = new Map<number, number>()
  for (const [rank, record] of records.entries()) {
    const heading = headingOf[record]
    if (heading >= 0) votes.set(heading, (votes.get(heading) ?? 0) + voteOf(rank))
  }
  return votes
}

/**
 * Orders records by their own vote and the votes for their heading. The square root keeps a heading with many results from
 * outranking the best result.
 */
export function orderByVotes(
  records: readonly number[],
  votes: ReadonlyMap<number, number>,
  headingOf: ArrayLike<number>,
): number[] {
  const scores = repeatsOf(records, headingOf).map(
    (repeats, rank) => Math.sqrt(votes.get(headingOf[records[rank]]) ?? 0) * voteOf(rank) * REPEAT_WEIGHT ** repeats,
  )
  const places = [...records.keys()].sort((a, b) => scores[b] - scores[a] || a - b)
  return places.map(place => records[place])
}

/** Orders each tier by the votes of the first results of both tiers. */
export function voteForHeadings(ranking: Ranking, headingOf: ArrayLike<number>): void {
  const voters = votersOf(ranking)
  const votes = votesOf(voters.flat(), headingOf)
  for (const [i, tier] of ranking.tiers.entries()) tier.first = orderByVotes(voters[i], votes, headingOf)
}
