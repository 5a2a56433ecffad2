/** Writes rows for load tools to standard output or a file. */
import { stat } from 'node:fs/promises'
import { OperatorError } from '../errors.js'
import { writeAtomic } from '../files/atomic-file.js'
import { FEED_ROWS_DEFAULT, FEED_ROWS_MAX, LANGUAGES } from '../limits.js'
import { FORMATS, FORMATS_OF_URLS, type Format, feedText } from '../load-kit/feed/formats.js'
import { FEEDS, type FeedKind, type FeedOptions } from '../load-kit/feed/rows.js'
import { SPREADS } from '../load-kit/feed/spread.js'
import { SEED_MAX } from '../random.js'
import { openCatalog, SNAPSHOT_FLAG, SNAPSHOT_HELP } from './ask.js'
import { type Command, flag, text, type Values } from './command.js'
import { interruption } from './interruption.js'
import { stdoutSink } from './output.js'
import { addressOf, choiceOf, required, wholeOf } from './values.js'

const KINDS = Object.keys(FEEDS) as FeedKind[]
const SEED_DEFAULT = 1
const KINDS_OF_FLAG: Readonly<Record<string, readonly FeedKind[]>> = {
  lang: ['words', 'urls'],
  url: ['urls'],
  'no-401': ['urls'],
}

function refuseUnusedFlags(values: Values, kind: FeedKind, format: Format): void {
  for (const [name, kinds] of Object.entries(KINDS_OF_FLAG))
    if (values[name] !== undefined && !kinds.includes(kind))
      throw new OperatorError(`--${name} is only for --kind ${kinds.join(' or ')}`)
  if (!FORMATS_OF_URLS.includes(format)) return
  if (kind !== 'urls') throw new OperatorError(`--format ${format} is only for --kind urls`)
  if (values.url === undefined) throw new OperatorError(`--url is missing: --format ${format} needs whole addresses`)
}

function optionsOf(values: Values, format: Format): FeedOptions {
  const lang = choiceOf(values, 'lang', ['both', ...LANGUAGES])
  return {
    seed: wholeOf(values, 'seed', 0, SEED_MAX, SEED_DEFAULT),
    spread: choiceOf(values, 'spread', SPREADS),
    languages: lang === 'both' ? LANGUAGES : [lang],
    origin: values.url === undefined ? '' : addressOf(String(values.url)).href.replace(/\/$/, ''),
    withoutUnknownKey: values['no-401'] === true || FORMATS_OF_URLS.includes(format),
  }
}

function* untilAborted(pieces: Iterable<string>, signal: AbortSignal): Generator<string> {
  for (const piece of pieces) {
    signal.throwIfAborted()
    yield piece
  }
}

async function writeFile(out: string, force: boolean, pieces: Iterable<string>): Promise<void> {
  const existing = await stat(out).catch(() => undefined)
  if (existing !== undefined && !existing.isFile())
    throw new OperatorError(`${out}: this is not a regular file; leave out --out to write to standard output`)
  if (existing !== undefined && !force) throw new OperatorError(`${out}: the file already exists; --force replaces it`)
  try {
    await writeAtomic(out, untilAborted(pieces, interruption(out)))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${out}: ${(error as Error).message}`)
  }
}

async function writeOutput(pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) await stdoutSink.writeFile(piece)
}

const HELP = `Usage: hsapi feed --kind codes|words|tariff|urls [options]

Writes random rows from the snapshot for load tools, to standard output or to a file. The same
seed, options and snapshot give the same bytes.

  --kind KIND      codes   hs_code, level
                   words   q, lang, hs_code: names and descriptions, with the code they come from
                   tariff  hs_code, value, currency, include_vat, and the expected landed_cost
                   urls    kind, method, url, key, status: a realistic mix of requests (62 % lookups, 20 % searches, 8 %
                           estimates, 6 % pages of children, 4 % mistakes), with the expected status of each;
                           key is own (send your key) or unknown (send a wrong key)
  --count N        rows (${FEED_ROWS_DEFAULT})
  --seed N         seed of the random numbers (1)
  --spread NAME    zipf: a few rows are frequent, most are rare; uniform: all equally frequent (zipf)
  --lang LANG      words and urls: searches in en, ar or both (both)
  --format NAME    csv, jsonl; for urls also list (one URL per line) and vegeta (targets), both without wrong keys (csv)
  --url URL        urls: prefix of every path, such as http://127.0.0.1:8080
  --no-401         urls: leave out requests with a wrong key
  --out FILE       the file to write, completely or not at all
  --force          replace FILE if it exists
  ${SNAPSHOT_HELP}`

export const feedCommand: Command = {
  help: HELP,
  flags: {
    ...SNAPSHOT_FLAG,
    kind: text,
    count: text,
    seed: text,
    spread: text,
    format: text,
    lang: text,
    url: text,
    'no-401': flag,
    out: text,
    force: flag,
  },
  run: async (values, _words, print) => {
    required(values, 'kind', `what to write: ${KINDS.join(', ')}`)
    const kind = choiceOf(values, 'kind', KINDS)
    const format = choiceOf(values, 'format', FORMATS)
    refuseUnusedFlags(values, kind, format)
    const count = wholeOf(values, 'count', 1, FEED_ROWS_MAX, FEED_ROWS_DEFAULT)
    const options = optionsOf(values, format)
    const feed = FEEDS[kind](await openCatalog(values), options)
    const pieces = feedText(feed, format, count)
    if (values.out === undefined) return writeOutput(pieces)
    await writeFile(String(values.out), values.force === true, pieces)
    print(`${values.out}: ${count} rows`)
  },
}
