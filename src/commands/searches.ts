/** Shows what users searched for, from the admin port of a server. */
import { escapeControls } from '../control-characters.js'
import { isDay } from '../day.js'
import { OperatorError, UnmetError } from '../errors.js'
import type { SearchedDay, SearchedText } from '../metrics/search-counts.js'
import { readConfig } from '../settings/config.js'
import { quoted, spreadsheetText } from '../tables/csv-text.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { printTable } from './terminal.js'
import { addressOf, wholeOf } from './values.js'

const LIMIT_MAX = 1_000
const LIMIT_DEFAULT = 20
const WAIT_MS = 5_000

interface Report {
  since: string
  count_min: number
  days: SearchedDay[]
}

function placeOf(values: Values): { url: URL; token: string | undefined } {
  const { admin } = readConfig(process.env)
  if (values.url !== undefined)
    return { url: addressOf(String(values.url)), token: admin?.token ?? process.env.HSAPI_ADMIN_TOKEN }
  if (admin === undefined || admin.port === 0)
    throw new OperatorError('set HSAPI_ADMIN_PORT to the port of the server, or use --url')
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[admin.host] ?? admin.host
  return { url: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${admin.port}`), token: admin.token }
}

async function ask(values: Values, limit: number): Promise<Report> {
  const { url, token } = placeOf(values)
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const target = new URL(`/searches?limit=${limit}`, url)
  let response: Response
  try {
    response = await fetch(target, { headers, signal: AbortSignal.timeout(WAIT_MS) })
  } catch (error) {
    const { cause, message } = error as Error
    throw new UnmetError(`${url.origin}: ${cause instanceof Error ? cause.message : message}`)
  }
  const body = await response.text()
  if (response.status !== 200) throw new UnmetError(`${url.origin}: ${response.status}: ${body.trim()}`)
  return JSON.parse(body) as Report
}

function dayOf(values: Values): string | undefined {
  const day = values.day
  if (day === undefined || isDay(String(day))) return day as string | undefined
  throw new OperatorError(`--day is "${day}"; it must be a day such as 2026-11-15`)
}

function printDays(days: readonly SearchedDay[], isEmptyOnly: boolean, print: Print): void {
  days.forEach(({ day, searches, empty, queries, nothing_found: nothing }, i) => {
    if (i > 0) print('')
    print(`${day}: ${searches} searches, ${empty} found nothing`)
    const isMissing = new Set(nothing.map(({ q }) => q))
    const rows = (isEmptyOnly ? nothing : queries).map(({ q, count }) => [String(count), isMissing.has(q) ? 'nothing' : '', q])
    if (rows.length > 0) printTable([{ title: 'count', right: true }, { title: 'found' }, { title: 'text' }], rows, print)
  })
}

/** Prints one row for each text, to which the user adds the meaning. `hsapi check` reports rows without a meaning. */
function printKeywords(days: readonly SearchedDay[], print: Print): void {
  const counts = new Map<string, number>()
  for (const { q, count } of days.flatMap((day): SearchedText[] => day.nothing_found)) {
    const term = q.replaceAll(';', ' ').trim()
    if (term !== '') counts.set(term, (counts.get(term) ?? 0) + count)
  }
  print('terms')
  for (const [term] of [...counts].sort(([, a], [, b]) => b - a)) {
    const row = spreadsheetText(`${term}; `)
    print(/[",]/.test(row) ? quoted(row) : row)
  }
}

const HELP = `Usage: hsapi searches [--empty] [--day YYYY-MM-DD] [--limit N] [--json] [--url URL]
       hsapi searches --as-keywords

Shows what users searched for, by day (UTC). The server needs HSAPI_SEARCHES=on; the command asks its admin port (HSAPI_ADMIN_HOST
and HSAPI_ADMIN_PORT; HSAPI_ADMIN_TOKEN is sent if set). The server keeps at most 1,000 texts per day and thread in memory, for
eight days. A text that was sent fewer than three times on a day is never shown.

  --empty         only texts that found nothing
  --day DAY       only this day
  --limit N       texts listed for each day, 1 to 1,000 (20)
  --as-keywords   rows for synonyms.csv of your own dataset, one for each text that found nothing: write its meaning after
                  the semicolon, and delete rows for goods that your tariff does not have; see docs/own-tariff.md
  --json          print the answer of /searches
  --url URL       the admin port at this address, such as http://127.0.0.1:9090`

export const searchesCommand: Command = {
  help: HELP,
  flags: { empty: flag, day: text, limit: text, json: flag, 'as-keywords': flag, url: text },
  run: async (values, _words, print) => {
    const day = dayOf(values)
    const isForKeywords = values['as-keywords'] === true
    if (isForKeywords && values.json === true) throw new OperatorError('--as-keywords and --json exclude each other')
    const limit = wholeOf(values, 'limit', 1, LIMIT_MAX, isForKeywords ? LIMIT_MAX : LIMIT_DEFAULT)
    const report = await ask(values, limit)
    const days = report.days.filter(one => day === undefined || one.day === day)
    if (isForKeywords) printKeywords(days, print)
    else if (values.json === true) print(escapeControls(JSON.stringify({ ...report, days })))
    else if (days.length === 0)
      print(
        day === undefined
          ? 'Nothing was searched yet.'
          : `Nothing was searched on ${day}, or the searches of that day are no longer kept.`,
      )
    else printDays(days, values.empty === true, print)
  },
}
