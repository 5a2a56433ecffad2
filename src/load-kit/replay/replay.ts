import { parseTarget, requestBytes } from '../load/connection.js'
import { type OnTimeResult, type Outgoing, sendOnTime } from '../load/on-time.js'
import { Pace } from './pace.js'
import { type LogCounts, type LoggedRequest, readLog } from './read-log.js'

export interface ReplayOptions {
  /** The text of the log, decoded. */
  chunks: AsyncIterable<string>
  url: URL
  key: string
  /** Factor of the original pace; Infinity sends as fast as answers come. */
  speed: number
  connections: number
  signal?: AbortSignal
}

export interface ReplayResult {
  counts: LogCounts
  /** `now` is 0 if there was no answer. */
  pairings: { recorded: number; now: number; count: number }[]
  /** Requests without an answer, or with a different status. */
  wrong: number
  sent: OnTimeResult
}

interface Replayed extends Outgoing {
  recorded: number
}

const UNAUTHORIZED = 401
const NOT_MODIFIED = 304
const isRefusedForLoad = (status: number) => status === 429 || status >= 500

/**
 * A 304 becomes 200, because logs have no entity tags. A request that was refused because of load or a fault may succeed now.
 */
export function isAsRecorded(recorded: number, now: number): boolean {
  if (now === recorded) return true
  if (now === 0) return false
  return recorded === NOT_MODIFIED ? now === 200 : isRefusedForLoad(recorded) && !isRefusedForLoad(now)
}

export async function replay(options: ReplayOptions): Promise<ReplayResult> {
  const { chunks, url, key, speed, connections, signal } = options
  const target = parseTarget(url.href)
  const base = url.pathname.replace(/\/$/, '')
  const counts: LogCounts = { unread: 0, otherMethods: 0 }
  const pace = new Pace<Replayed>()
  const withKey = { 'X-Api-Key': key }

  const outgoing = ({ method, target: path, status }: LoggedRequest): Replayed => ({
    // logs have no keys, and a request without a key gets the same refusal
    bytes: requestBytes(target, base + path, status === UNAUTHORIZED ? {} : withKey, method),
    isHead: method === 'HEAD',
    recorded: status,
  })
  const read = async () => {
    for await (const request of readLog(chunks, counts)) await pace.put(outgoing(request), request.atMs / speed)
    pace.end()
  }
  const unreadable = new AbortController()
  const found = new Map<number, number>()
  const sending = sendOnTime<Replayed>({
    target,
    schedule: pace,
    connections,
    graceMs: Number.POSITIVE_INFINITY,
    latencyFrom: speed === Number.POSITIVE_INFINITY ? 'sent' : 'due',
    onAnswer: ({ recorded }, now) => {
      const pair = recorded * 1000 + now
      found.set(pair, (found.get(pair) ?? 0) + 1)
    },
    signal: AbortSignal.any([unreadable.signal, ...(signal === undefined ? [] : [signal])]),
  })
  // reading is not awaited, because sending may end before the log does
  read().catch(error => unreadable.abort(error))
  const sent = await sending
  unreadable.signal.throwIfAborted()
  const pairings = [...found]
    .map(([pair, count]) => ({ recorded: Math.floor(pair / 1000), now: pair % 1000, count }))
    .sort((a, b) => a.recorded - b.recorded || a.now - b.now)
  const wrong = pairings.filter(({ recorded, now }) => !isAsRecorded(recorded, now)).reduce((sum, { count }) => sum + count, 0)
  return { counts, pairings, wrong, sent }
}
