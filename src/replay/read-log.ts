/** An access log as a stream of requests, each with its time from the first on. Of the file only a little is in memory. */
import { parseLine, type Recorded } from './log-line.js'

/** A longer line is no request. */
const LINE_CHARS_MAX = 65_536
/** So many requests of one second are spread over it; where there are more, the rest follows at its end. */
const SPREAD_MAX = 100_000
const SECOND_MS = 1000
/** Stands for a line that is too long. */
const NO_REQUEST = '-'

export interface LoggedRequest extends Recorded {
  method: 'GET' | 'HEAD'
  /** Milliseconds since the first, never falling. */
  atMs: number
}

export interface LogCounts {
  /** Lines that tell of no request that could be sent. */
  unread: number
  /** Requests by other methods: a log does not have their bodies. */
  otherMethods: number
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  /** Within a line whose beginning was thrown away. */
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

function isAskedAgain(recorded: Recorded): recorded is Recorded & { method: 'GET' | 'HEAD' } {
  return recorded.method === 'GET' || recorded.method === 'HEAD'
}

/** `counts` is added to while it is read. */
export async function* readLog(chunks: AsyncIterable<string>, counts: LogCounts): AsyncGenerator<LoggedRequest> {
  let firstMs: number | undefined
  let lastMs = 0
  let together: (Recorded & { method: 'GET' | 'HEAD' })[] = []
  const at = (timeMs: number) => {
    firstMs ??= timeMs
    // threads write their lines in batches, so that some are out of order
    lastMs = Math.max(lastMs, timeMs - firstMs)
    return lastMs
  }
  /** Requests of which only the second is known do not all come at its beginning. */
  function* spread(): Generator<LoggedRequest> {
    const stepMs = SECOND_MS / together.length
    for (const [i, one] of together.entries()) yield { ...one, atMs: at(one.timeMs + i * stepMs) }
    together = []
  }
  for await (const line of linesOf(chunks)) {
    const text = line.trim()
    if (text === '') continue
    const recorded = parseLine(text)
    if (recorded === undefined) {
      counts.unread++
      continue
    }
    if (!isAskedAgain(recorded)) {
      counts.otherMethods++
      continue
    }
    const isNext = together[0] !== undefined && together[0].timeMs !== recorded.timeMs
    if (isNext || together.length >= SPREAD_MAX) yield* spread()
    if (recorded.isCoarse) together.push(recorded)
    else yield { ...recorded, atMs: at(recorded.timeMs) }
  }
  yield* spread()
}
