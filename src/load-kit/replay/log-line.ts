/** Parses access log lines: our own JSON, or the combined format of proxies. */

export interface Recorded {
  timeMs: number
  /** Whether the time has whole seconds only. */
  isCoarse: boolean
  method: string
  /** Path and query, ready to be sent. */
  target: string
  status: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** `… [15/Nov/2026:02:09:55 +0000] "GET /path HTTP/1.1" 200 …`; the common format begins in the same way. */
const COMBINED =
  // regexp-ignore: linear, every attempt to match the time ends at the next blank
  /^\S+ \S+ .*?\[(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})\] "([A-Z]+) ([^ "]+)(?: HTTP\/[\d.]+)?" (\d{3})(?: |$)/
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const METHOD = /^[A-Z]{1,20}$/
/** Anything else could end the request line and begin another request. */
const SENDABLE = /^\/[\x21-\x7e]*$/
const BEYOND_ASCII = /[^\0-\x7f]+/gu

/** Percent-encodes non-ASCII characters; returns undefined if the text cannot be the target of a request. */
function sendable(target: string): string | undefined {
  const ascii = target.replace(BEYOND_ASCII, found => encodeURIComponent(Buffer.from(found).toString()))
  return SENDABLE.test(ascii) ? ascii : undefined
}

function jsonLine(line: string): Recorded | undefined {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(line)
  } catch {
    return undefined
  }
  const { time, method, target: sent, status } = entry
  if (typeof time !== 'string' || !ISO.test(time)) return undefined
  if (typeof method !== 'string' || !METHOD.test(method)) return undefined
  if (typeof status !== 'number' || typeof sent !== 'string') return undefined
  const timeMs = Date.parse(time)
  const target = sendable(sent)
  if (Number.isNaN(timeMs) || target === undefined) return undefined
  return { timeMs, isCoarse: false, method, target, status }
}

/** nginx escapes bytes as \x22. */
const unescaped = (target: string) => target.replace(/\\x([0-9A-F]{2})/g, '%$1')

function combinedLine(line: string): Recorded | undefined {
  const [, day, month = '', year, time, hours, minutes, method = '', sent = '', status] = COMBINED.exec(line) ?? []
  const number = MONTHS.indexOf(month) + 1
  if (number === 0) return undefined
  const timeMs = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day}T${time}${hours}:${minutes}`)
  const target = sendable(unescaped(sent))
  if (Number.isNaN(timeMs) || target === undefined) return undefined
  return { timeMs, isCoarse: true, method, target, status: Number(status) }
}

/** Returns undefined if the line is not a request that can be sent. */
export function parseLine(line: string): Recorded | undefined {
  return line.startsWith('{') ? jsonLine(line) : combinedLine(line)
}
