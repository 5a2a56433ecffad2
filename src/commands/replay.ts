import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { escapeControls } from '../control-characters.js'
import { OperatorError, UnmetError } from '../errors.js'
import { REPLAY_CONNECTIONS_DEFAULT, REPLAY_CONNECTIONS_MAX, REPLAY_SPEED_MAX } from '../limits.js'
import { readShare } from '../load-kit/load/thresholds.js'
import { type LogCounts, readLog } from '../load-kit/replay/read-log.js'
import { isAsRecorded, type ReplayResult, replay } from '../load-kit/replay/replay.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { abortOn } from './interruption.js'
import { printTable } from './terminal.js'
import { addressOf, required, wholeOf } from './values.js'

/** If requests are sent later than this, the delay of this machine is reported. */
const LATE_MS = 1

function speedOf(values: Values): number {
  const given = String(values.speed ?? 1)
  if (given === 'max') return Number.POSITIVE_INFINITY
  const speed = /^\d{1,5}(\.\d{1,3})?$/.test(given) ? Number(given) : 0
  if (speed > 0 && speed <= REPLAY_SPEED_MAX) return speed
  throw new OperatorError(`--speed is "${given}"; it must be a number up to ${REPLAY_SPEED_MAX}, such as 10 or 0.5, or max`)
}

function errorsOf(values: Values): number {
  const given = String(values.errors ?? '0')
  const share = readShare(given)
  if (share === undefined) throw new OperatorError(`--errors is "${given}"; it must be a percentage, such as 0.1%`)
  return share
}

/** Accepts only printable ASCII, because the key is sent in a header. */
function keyOf(values: Values): string {
  const key = required(values, 'key', 'the API key to send; access logs have no keys')
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new OperatorError('--key contains characters that keys cannot have')
}

/**
 * Reads only the part of the log that exists at the start. Otherwise a replay against the server that writes the log would
 * never end.
 */
async function openLog(file: string): Promise<Readable> {
  if (file === '-') return process.stdin
  const log = await stat(file)
  if (!log.isFile()) return createReadStream(file)
  return log.size === 0 ? Readable.from([]) : createReadStream(file, { end: log.size - 1 })
}

async function* chunksOf(file: string): AsyncGenerator<string> {
  try {
    const stream = await openLog(file)
    for await (const chunk of stream.setEncoding('utf8')) yield chunk as string
  } catch (error) {
    throw new OperatorError(`${file}: ${(error as Error).message}`)
  }
}

const requests = (count: number) => `${count} request${count === 1 ? '' : 's'}`

function skippedLines({ otherMethods, unread }: LogCounts): string[] {
  return [
    ...(otherMethods > 0 ? [`skipped: ${requests(otherMethods)} with other methods; request bodies are not in the log`] : []),
    ...(unread > 0
      ? [`skipped: ${unread === 1 ? '1 line that is not a request' : `${unread} lines that are not requests`}`]
      : []),
  ]
}

function pace(speed: number): string {
  if (speed === Number.POSITIVE_INFINITY) return 'as fast as responses arrive'
  return speed === 1 ? 'at the recorded pace' : `at ${speed} times the recorded pace`
}

async function printDryRun(file: string, speed: number, print: Print): Promise<void> {
  const counts: LogCounts = { unread: 0, otherMethods: 0 }
  const methods = { GET: 0, HEAD: 0 }
  let lastMs = 0
  for await (const { method, atMs } of readLog(chunksOf(file), counts)) {
    methods[method]++
    lastMs = atMs
  }
  const { GET, HEAD } = methods
  const times = speed === Number.POSITIVE_INFINITY ? '' : `, or ${(lastMs / 1000 / speed).toFixed(1)} s ${pace(speed)}`
  print(`${escapeControls(file)}: ${GET} GET and ${HEAD} HEAD over ${(lastMs / 1000).toFixed(1)} s${times}; nothing was sent`)
  for (const line of skippedLines(counts)) print(line)
}

const milliseconds = (value = 0) => `${value < 10 ? value.toFixed(3) : value.toFixed(1)} ms`

function printSummary({ pairings, sent, counts }: ReplayResult, speed: number, print: Print): void {
  const columns = ['recorded', 'now', 'requests'].map(title => ({ title, right: true }))
  const rows = pairings.map(({ recorded, now, count }) => [
    String(recorded),
    now === 0 ? 'no answer' : String(now),
    String(count),
    isAsRecorded(recorded, now) ? '' : 'differs',
  ])
  print(`${requests(sent.sent)} sent in ${sent.seconds.toFixed(1)} s, ${pace(speed)}`)
  printTable([...columns, {}], rows, print)
  for (const line of skippedLines(counts)) print(line)
  if (sent.waited > 0 && speed !== Number.POSITIVE_INFINITY)
    print(`late: ${sent.waited} waited for a connection; open more with --connections`)
  const from = speed === Number.POSITIVE_INFINITY ? 'sending' : 'the time each request was due'
  const { p50, p99, max } = sent.latency
  print(`latency from ${from}: p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, max ${milliseconds(max)}`)
  const late = sent.lateness.p99 ?? 0
  if (late > LATE_MS && speed !== Number.POSITIVE_INFINITY)
    print(`this machine sent requests up to ${milliseconds(late)} late (p99); this delay is included in the latency`)
}

const HELP = `Usage: hsapi replay ACCESS_LOG --url URL --key KEY [options]

Sends the GET and HEAD requests of an access log again (HSAPI_ACCESS_LOG=json, or the combined format of nginx and others;
- is standard input) and compares each status with the recorded one. Other methods are skipped and counted, since a log has
no bodies. A log has no keys: requests recorded with 401 are sent without a key, all others with KEY. A recorded 304 may now
be 200, and a recorded 429 or 5xx may now succeed. Exit code 1 if a response is missing or differs.

  --url URL         the server, http or https
  --key KEY         the API key
  --speed N         multiple of the recorded pace, up to ${REPLAY_SPEED_MAX}, or max: as fast as responses arrive (1)
  --connections N   maximum number of connections, up to ${REPLAY_CONNECTIONS_MAX} (${REPLAY_CONNECTIONS_DEFAULT})
  --errors SHARE    share of the responses that may differ or be missing, such as 0.1% (0)
  --dry-run         show what would be sent, and send nothing
  --json            the summary as one JSON object`

export const replayCommand: Command = {
  help: HELP,
  flags: {
    url: text,
    key: text,
    speed: text,
    connections: text,
    errors: text,
    'dry-run': flag,
    json: flag,
  },
  words: ['ACCESS_LOG'],
  run: async (values, [file], print) => {
    const speed = speedOf(values)
    const errors = errorsOf(values)
    const connections = wholeOf(values, 'connections', 1, REPLAY_CONNECTIONS_MAX, REPLAY_CONNECTIONS_DEFAULT)
    if (values['dry-run'] === true) return printDryRun(file, speed, print)
    const given = required(values, 'url', 'the server to send requests to, such as http://127.0.0.1:8080')
    const url = addressOf(given)
    const key = keyOf(values)
    // on a signal, the results so far are printed
    const signal = abortOn(['SIGINT', 'SIGTERM'])
    const result = await replay({ chunks: chunksOf(file), url, key, speed, connections, signal }).catch(error => {
      throw error instanceof OperatorError ? error : new OperatorError(`${given}: ${(error as Error).message}`)
    })
    const { sent, wrong, counts, pairings } = result
    const all = pairings.reduce((sum, { count }) => sum + count, 0)
    if (values.json === true) print(JSON.stringify({ ...counts, pairings, wrong, ...sent }))
    else if (all > 0) printSummary(result, speed, print)
    if (signal.aborted) throw new UnmetError('interrupted before the end of the log')
    if (sent.isAway) throw new UnmetError(`${given}: the server became unreachable: ${sent.lastFailure}`)
    if (all === 0) throw new UnmetError(`${escapeControls(file)}: the log contains no request that can be sent`)
    if (wrong > errors * all) throw new UnmetError(`${wrong} of ${requests(all)} were not answered as recorded`)
  },
}
