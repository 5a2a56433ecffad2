/** Answers lists of any length, in order. For an item that the server refuses, the error takes the place of its answer. */
import { batchesOf, renumbered } from './batches.js'
import { HsapiError } from './error.js'

/** A refused item as given. The message names its place in the whole list. */
export interface ItemRefusal<Item> {
  readonly item: Item
  readonly error: Pick<HsapiError, 'code' | 'message'>
}

export type Items<Item> = Iterable<Item> | AsyncIterable<Item>

interface Sending<Item, Answer> {
  countMax: number
  bytesMax: number
  /** The maximum number of items that the key's limits admit in one request. */
  weightMax(): number
  /** Why an item cannot be sent; undefined if it can. */
  refuse(item: Item): string | undefined
  ask(batch: readonly Item[]): Promise<readonly Answer[]>
}

const REFUSED_ITEM = /^(?:items|codes)\[(\d{1,9})\]/
const TOO_LONG = 413
const TOO_MANY = 429

/** Sends one batch at a time, so that answers do not pile up for a slow reader. */
export async function* answerAll<Item, Answer>(
  items: Items<Item>,
  sending: Sending<Item, Answer>,
): AsyncGenerator<Answer | ItemRefusal<Item>, void, undefined> {
  let before = 0
  for await (const batch of batchesIn(items, sending)) {
    yield* answerBatch(batch, before, sending)
    before += batch.length
  }
}

async function* batchesIn<Item, Answer>(items: Items<Item>, { countMax, bytesMax }: Sending<Item, Answer>) {
  let read: Item[] = []
  for await (const item of items) {
    read.push(item)
    if (read.length < countMax) continue
    yield* batchesOf(read, countMax, bytesMax)
    read = []
  }
  yield* batchesOf(read, countMax, bytesMax)
}

async function* answerBatch<Item, Answer>(
  batch: readonly Item[],
  before: number,
  sending: Sending<Item, Answer>,
): AsyncGenerator<Answer | ItemRefusal<Item>, void, undefined> {
  const refused = new Map<number, ItemRefusal<Item>>()
  batch.forEach((item, place) => {
    const message = sending.refuse(item)
    if (message !== undefined) refused.set(place, { item, error: { code: 'invalid_parameter', message } })
  })
  let answers: readonly Answer[] | undefined
  while (answers === undefined) {
    const places = [...batch.keys()].filter(place => !refused.has(place))
    const sent = places.map(place => batch[place])
    if (sent.length > sending.weightMax()) return yield* answerPieces(batch, before, sending)
    try {
      answers = sent.length === 0 ? [] : await sending.ask(sent)
    } catch (error) {
      const at = refusedPlace(error, sent.length)
      if (error instanceof HsapiError && at !== undefined) {
        const place = places[at]
        const message = renumbered(error.message, () => before + place)
        refused.set(place, { item: batch[place], error: { code: error.code, message } })
      } else if (!isBeyondLimits(error, sent.length, sending.weightMax())) throw error
    }
  }
  let next = 0
  for (const place of batch.keys()) yield refused.get(place) ?? answers[next++]
}

async function* answerPieces<Item, Answer>(batch: readonly Item[], before: number, sending: Sending<Item, Answer>) {
  let at = before
  for (const piece of batchesOf(batch, sending.weightMax(), sending.bytesMax)) {
    yield* answerBatch(piece, at, sending)
    at += piece.length
  }
}

/** The place of the item that the server refused, if it refused one. */
function refusedPlace(error: unknown, count: number): number | undefined {
  if (!(error instanceof HsapiError)) return undefined
  if (error.status === TOO_LONG && count === 1) return 0
  const place = Number(REFUSED_ITEM.exec(error.details.parameter ?? '')?.[1] ?? Number.NaN)
  return place < count ? place : undefined
}

/** Whether the batch was larger than the key's limits, which are unknown before the first answer. */
function isBeyondLimits(error: unknown, count: number, weightMax: number): boolean {
  return error instanceof HsapiError && error.status === TOO_MANY && count > weightMax
}
