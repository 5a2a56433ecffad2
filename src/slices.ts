/** Work on many keys is done in slices of a few milliseconds, so that requests are answered in between. */

/** Number of unchanged lines that are compared per slice. */
export const SLICE_WORK = 2_000
/** Parsing a line takes as long as comparing this many unchanged lines. */
export const PARSE_WORK = 16
/** Keys changed per slice and per message to a thread. */
export const SLICE_KEYS = 1_000
/** Hash buckets cleared or moved per slice while a table grows. */
export const SLICE_BUCKETS = 32_768
/** Slots scanned per slice for removed keys. */
export const SLICE_SLOTS = 131_072

/** Combines all calls during one turn of the event loop into a single run after it. */
export function oncePerTurn(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      work()
    })
  }
}

export function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
