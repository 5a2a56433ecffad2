/** Work on many keys is done in slices, so that requests are answered in between: none takes more than a few milliseconds. */

/** What a slice may do, in lines that are found unchanged. */
export const SLICE_WORK = 2_000
/** A line that is read as JSON and checked costs as much as so many unchanged ones. */
export const PARSE_WORK = 16
/** Keys that are put in force or out of it at once; also what one message to a thread holds. */
export const SLICE_KEYS = 1_000
/** Places of a table that are cleared or moved at once while it grows. */
export const SLICE_PLACES = 32_768
/** Slots that are looked at in one go for keys that are no longer there. */
export const SLICE_SLOTS = 131_072

/** One round of the event loop: whatever waits is served first. */
export function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
