import { resultJson } from '../answers/records.js'
import { UnmetError } from '../errors.js'
import { LANGUAGES, SEARCH_INCLUDES } from '../limits.js'
import { matchedPhrases, search } from '../questions/search.js'
import { answered, COUNTRY_FLAGS, countryOf, INCLUDE_FLAG, includeOf, numberOf, openCatalog, SNAPSHOT_FLAG } from './ask.js'
import { type Command, flag, text } from './command.js'
import { escapeControls, printTable } from './terminal.js'
import { choiceOf } from './values.js'

export const searchCommand: Command = {
  flags: { ...SNAPSHOT_FLAG, ...INCLUDE_FLAG, ...COUNTRY_FLAGS, level: text, within: text, limit: text, lang: text, json: flag },
  words: ['WORDS'],
  lastRepeats: true,
  run: async (values, words, print) => {
    const query = words.join(' ')
    const language = choiceOf(values, 'lang', LANGUAGES)
    const include = includeOf(values, SEARCH_INCLUDES)
    const catalog = await openCatalog(values)
    const view = countryOf(values, catalog)
    const within = String(values.within ?? '')
    const page = answered(search(catalog, query, numberOf(values, 'level'), numberOf(values, 'limit'), 0, within))
    const found = Array.from(page.records)
    const matched = matchedPhrases(catalog, query, found, include)
    const resultOf = (record: number, i: number) => resultJson(catalog, record, include, matched[i], view)
    if (values.json === true) print(`[${found.map(resultOf).join(',')}]`)
    if (found.length === 0) throw new UnmetError(`nothing was found for ${escapeControls(query)}`)
    if (values.json === true) return
    const rows = found.map(record => [
      catalog.records.code(record),
      `${(view ?? catalog).rateText(record)} %`,
      catalog.records.description(record)[language],
    ])
    printTable([{ title: 'code' }, { title: 'rate', right: true }, { title: 'description' }], rows, print)
    if (page.total > found.length) print(`${found.length} of ${page.total}; --limit shows more`)
  },
}
