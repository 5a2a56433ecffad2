/** Lists what versions of the dataset changed, for all codes or for those of a file. */
import { readFile } from 'node:fs/promises'
import { changesJson } from '../answers/changes.js'
import type { DatasetChange } from '../answers/shapes.js'
import { digitsOf } from '../codes/digits.js'
import { escapeControls } from '../control-characters.js'
import { OperatorError } from '../errors.js'
import { PAGE_LIMIT_MAX } from '../limits.js'
import { changes } from '../questions/changes.js'
import { answerOrThrow, openCatalog, SNAPSHOT_FLAG, SNAPSHOT_HELP } from './ask.js'
import { sideText } from './changed-text.js'
import { type Command, flag, text } from './command.js'

/** The first cell of a line, so that the file can be a list of codes or a table whose first column has codes. */
const FIRST_CELL = /^\ufeff?\s*"?([^",;\t]*)/

async function codesIn(file: string): Promise<string[]> {
  const written = await readFile(file, 'utf8').catch(error => {
    throw new OperatorError(`${file}: ${(error as Error).message}`)
  })
  const codes = written.split(/\r?\n/).flatMap((line, i) => {
    const cell = FIRST_CELL.exec(line)?.[1].trim() ?? ''
    const digits = digitsOf(cell)
    // skip a header, blank lines and comments
    if (cell === '' || cell.startsWith('#') || (i === 0 && digits === '')) return []
    if (digits === '') throw new OperatorError(`${file}:${i + 1}: "${escapeControls(cell)}" is not an HS code`)
    return [digits]
  })
  if (codes.length === 0) throw new OperatorError(`${file}: the file has no codes`)
  return codes
}

const HELP = `Usage: hsapi changes [--codes FILE] [--since VERSION] [--kind KIND] [--json]

Lists the changes that the dataset records, newest version first: version, kind, code, country, before and after.

  --codes FILE    only changes that affect the codes in FILE: changes of the codes themselves, of the codes below them, of the
                  shorter code that a padded code repeats, and of country rates, taxes, controls and units of the codes above.
                  FILE has one code per line, with or without dots, or is a CSV file with codes in its first column. A header
                  is skipped
  --since VERSION only changes after this version
  --kind KIND     only changes of this kind
  --json          an object on each line
  ${SNAPSHOT_HELP}`

export const changesCommand: Command = {
  help: HELP,
  flags: { ...SNAPSHOT_FLAG, codes: text, since: text, kind: text, json: flag },
  run: async (values, _words, print) => {
    const codes = values.codes === undefined ? undefined : await codesIn(String(values.codes))
    const catalog = await openCatalog(values)
    const terms = { since: String(values.since ?? ''), kind: String(values.kind ?? ''), codes, limit: PAGE_LIMIT_MAX }
    for (let offset = 0; ; offset += PAGE_LIMIT_MAX) {
      const page = answerOrThrow(changes(catalog, { ...terms, offset }))
      const found: DatasetChange[] = JSON.parse(changesJson(catalog, page.runs))
      for (const change of found) {
        const { version, kind, hs_code: code, country, old, new: now } = change
        const subject = country === undefined ? code : `${code}  ${country}`
        if (values.json === true) print(JSON.stringify(change))
        else print(`${version}  ${kind}  ${subject}  ${sideText(old)} → ${sideText(now)}`)
      }
      if (offset + page.count >= page.total) {
        if (page.total === 0) process.stderr.write('hsapi: no changes\n')
        return
      }
    }
  },
}
