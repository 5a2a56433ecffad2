/** The three reports of a run: for programs, for reading, and with plots. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { htmlReport } from './html.mjs'
import { markdownReport } from './markdown.mjs'

/** @returns {{markdown: string, file: string}} `file` is their common name, without an ending */
export function writeReports(folder, name, results) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  const markdown = markdownReport(results)
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(`${file}.md`, markdown)
  writeFileSync(`${file}.html`, htmlReport(results))
  return { markdown, file }
}
