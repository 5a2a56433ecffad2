/** Splits codes and items into batches within the server's bounds and sends them concurrently. */
import { BODY_BYTES_MAX } from '../limits.js'
import { HsapiError } from './error.js'

/** Bytes reserved for the parts of the body around the items. */
const ENVELOPE_BYTES = 128

export function batchesOf<Item>(items: readonly Item[], countMax: number, bytesMax = BODY_BYTES_MAX): Item[][] {
  const encoder = new TextEncoder()
  const batches: Item[][] = []
  let batch: Item[] = []
  let bytes = ENVELOPE_BYTES
  for (const item of items) {
    const size = encoder.encode(JSON.stringify(item)).length + 1
    if (batch.length === countMax || (batch.length > 0 && bytes + size > bytesMax)) {
      batches.push(batch)
      batch = []
      bytes = ENVELOPE_BYTES
    }
    batch.push(item)
    bytes += size
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

/** Each batch with the number of items before it. */
export function withPlaces<Item>(batches: readonly Item[][]): { batch: Item[]; before: number }[] {
  let before = 0
  return batches.map(batch => {
    before += batch.length
    return { batch, before: before - batch.length }
  })
}

/** Returns answers in order. The first failure aborts the other requests and is thrown. */
export async function mapConcurrently<Item, Answer>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal | undefined,
  ask: (item: Item, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer[]> {
  signal?.throwIfAborted()
  const failed = new AbortController()
  const ended = AbortSignal.any([failed.signal, ...(signal === undefined ? [] : [signal])])
  const answers: Answer[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      answers[at] = await ask(items[at], ended)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
    return answers
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

const NAMED_ITEM = /\b(items|queries)\[(\d{1,9})\]/g

export function renumbered(text: string, placeOf: (place: number) => number): string {
  return text.replace(NAMED_ITEM, (_, list: string, place: string) => `${list}[${placeOf(Number(place))}]`)
}

/** Adds `before` to the item number in an error, because the server only counts the items of one batch. */
export function numberedFromStart(error: unknown, before: number): unknown {
  if (!(error instanceof HsapiError) || before === 0) return error
  const renumber = (text: string) => renumbered(text, place => place + before)
  const { code, status, details, retryAfter, message } = error
  const { parameter } = details
  const named = parameter === undefined ? details : { ...details, parameter: renumber(parameter) }
  return new HsapiError({ code, status, retryAfter, message: renumber(message), details: named, cause: error })
}
