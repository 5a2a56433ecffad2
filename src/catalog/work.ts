/**
 * What a query costs, in steps: postings, candidates, terms and letters looked at. It is added up a list at a time and
 * not an element at a time, so that counting costs nothing and is always on.
 */
export class Work {
  steps = 0
  /** What was read ahead, so that it is not left out as read for nothing. */
  fetched = 0
}

/**
 * What no query over the shipped dataset costs, whatever is typed and whichever page is asked for: a test looks for one
 * that does. It follows from the bounds on a query's words, on the terms that each may stand for, and on the steps for them.
 */
export const STEPS_MAX = 100_000

/** The same for what is suggested while someone types. */
export const SUGGEST_STEPS_MAX = 60_000
