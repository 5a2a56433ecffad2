/** Streams the requests of an access log, with times relative to the first. */
import { parseLine, type Recorded } from './log-line.js'

/** Maximum length of a line; longer lines are skipped. */
const LINE_CHARS_MAX = 65_536
/** Maximum number of requests that are spread over one second; further requests of that second follow at its end. */
const SPREAD_MAX = 100_000
const SECOND_MS = 1000
/** Replaces a line that is too long. */
const NO_REQUEST = '-'

export interface LoggedRequest extends Recorded {
  method: 'GET' | 'HEAD'
  /** Milliseconds since the first request; never decreases. */
  atMs: number
}

export interface LogCounts {
  /** Lines without a request that can be sent. */
  unread: number
  /** Requests with methods other than GET and HEAD: these are skipped, because a log does not have their bodies. */
  otherMethods: number
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  /** True inside a line whose start was discarded. */
  let isSkipping = false
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    for (const line of lines) {
      yield isSkipping ? NO_REQUEST : line
      isSkipping = false
    }
    if (rest.length <= LINE_CHARS_MAX) continue
    isSkipping = true
    rest = ''
  }
  if (rest !== '' || isSkipping) yield isSkipping ? NO_REQUEST : rest
}

function isReplayable(recorded: Recorded): recorded is Recorded & { method: 'GET' | 'HEAD' } {
  return recorded.method === 'GET' || recorded.method === 'HEAD'
}

/** Yields the requests that can be sent again, and updates `counts` while reading. */
export async function* readLog(chunks: AsyncIterable<string>, counts: LogCounts): AsyncGenerator<LoggedRequest> {
  let firstMs: number | undefined
  let lastMs = 0
  let sameSecond: (Recorded & { method: 'GET' | 'HEAD' })[] = []
  const at = (timeMs: number) => {
    firstMs ??= timeMs
    // threads write in batches, so lines may be out of order
    lastMs = Math.max(lastMs, timeMs - firstMs)
    return lastMs
  }
  /** Spreads requests with the same whole second over that second. */
  function* spread(): Generator<LoggedRequest> {
    const stepMs = SECOND_MS / sameSecond.length
    for (const [i, one] of sameSecond.entries()) yield { ...one, atMs: at(one.timeMs + i * stepMs) }
    sameSecond = []
  }
  for await (const line of linesOf(chunks)) {
    const text = line.trim()
    if (text === '') continue
    const recorded = parseLine(text)
    if (recorded === undefined) {
      counts.unread++
      continue
    }
    if (!isReplayable(recorded)) {
      counts.otherMethods++
      continue
    }
    const isNext = sameSecond[0] !== undefined && sameSecond[0].timeMs !== recorded.timeMs
    if (isNext || sameSecond.length >= SPREAD_MAX) yield* spread()
    if (recorded.isCoarse) sameSecond.push(recorded)
    else yield { ...recorded, atMs: at(recorded.timeMs) }
  }
  yield* spread()
}
