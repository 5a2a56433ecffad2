/** Splits codes into batches within the server's bounds and sends them concurrently. */
import { BODY_BYTES_MAX } from '../limits.js'

/** The rest of the body. */
const ENVELOPE_BYTES = 128

export function batchesOf(codes: readonly string[], countMax: number): string[][] {
  const encoder = new TextEncoder()
  const batches: string[][] = []
  let batch: string[] = []
  let bytes = ENVELOPE_BYTES
  for (const code of codes) {
    const size = encoder.encode(JSON.stringify(code)).length + 1
    if (batch.length === countMax || (batch.length > 0 && bytes + size > BODY_BYTES_MAX)) {
      batches.push(batch)
      batch = []
      bytes = ENVELOPE_BYTES
    }
    batch.push(code)
    bytes += size
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

/** Answers in order. The first failure aborts the other requests and is thrown. */
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
  const lane = async () => {
    while (next < items.length) {
      const at = next++
      answers[at] = await ask(items[at], ended)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane))
    return answers
  } catch (error) {
    failed.abort(error)
    throw error
  }
}
