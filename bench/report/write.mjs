/** Writes the three reports of a run: JSON, Markdown, and HTML with plots. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { htmlReport } from './html.mjs'
import { markdownReport } from './markdown.mjs'

/** Full runs are named after the kind of machine. */
const KINDS = ['x64', 'arm64']

/** The latest full runs on other kinds of machines. */
function runsOnOtherMachines(folder, name) {
  if (!KINDS.includes(name)) return []
  return KINDS.filter(kind => kind !== name && existsSync(join(folder, `${kind}.json`))).map(kind => ({
    kind,
    ...JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')),
  }))
}

/** @returns {{markdown: string, file: string}} `file` is the path of the reports without the extension */
export function writeReports(folder, name, results) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  const shown = { ...results, kind: name, beside: runsOnOtherMachines(folder, name) }
  const markdown = markdownReport(shown)
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(`${file}.md`, markdown)
  writeFileSync(`${file}.html`, htmlReport(shown))
  return { markdown, file }
}
