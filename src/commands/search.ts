import { resultJson } from '../answers/records.js'
import { NotFoundError } from '../errors.js'
import { search } from '../questions/search.js'
import { answered, INCLUDE_FLAG, includeOf, languageOf, numberOf, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { escapeControls, table } from './terminal.js'

async function run(words: string, values: Values, print: Print): Promise<void> {
  const language = languageOf(values)
  const include = includeOf(values)
  const catalog = await openCatalog(values)
  const within = String(values.within ?? '')
  const page = answered(search(catalog, words, numberOf(values, 'level'), numberOf(values, 'limit'), 0, within))
  const found = Array.from(page.records)
  if (values.json === true) print(`[${found.map(record => resultJson(catalog, record, include)).join(',')}]`)
  if (found.length === 0) throw new NotFoundError(`nothing was found for ${escapeControls(words)}`)
  if (values.json === true) return
  const rows = found.map(record => [
    catalog.records.code(record),
    `${catalog.rateText(record)} %`,
    catalog.records.description(record)[language],
  ])
  const columns = [{ title: 'code' }, { title: 'rate', right: true }, { title: 'description' }]
  for (const line of table(columns, rows)) print(line)
  if (page.total > found.length) print(`${found.length} of ${page.total}; --limit shows more`)
}

export const searchCommand: Command = {
  flags: {
    ...SNAPSHOT_FLAG,
    ...INCLUDE_FLAG,
    level: text,
    within: text,
    limit: text,
    lang: text,
    json: flag,
  },
  words: ['WORDS'],
  lastRepeats: true,
  run: (values, words, print) => run(words.join(' '), values, print),
}
