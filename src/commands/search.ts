import { resultJson } from '../answers/records.js'
import { escapeControls } from '../control-characters.js'
import { UnmetError } from '../errors.js'
import { LANGUAGES, LEVELS, PAGE_LIMIT_MAX, SEARCH_INCLUDES, SEARCH_LIMIT_DEFAULT, WITHIN_DIGITS } from '../limits.js'
import { matchedPhrases, search } from '../questions/search.js'
import {
  answerOrThrow,
  COUNTRY_FLAGS,
  COUNTRY_HELP,
  countryOf,
  INCLUDE_FLAG,
  includeOf,
  numberOf,
  openCatalog,
  SNAPSHOT_FLAG,
  SNAPSHOT_HELP,
} from './ask.js'
import { type Command, flag, text } from './command.js'
import { printTable } from './terminal.js'
import { choiceOf } from './values.js'

const HELP = `Usage: hsapi search WORDS... [options]

Finds codes by words or by their first digits, best match first. Several words need no quotes. Exit code 1 if nothing matches.

  --level N        only codes with this many digits: ${LEVELS.join(', ')}
  --within CODE    only this code (${WITHIN_DIGITS.join(', ')} digits) and the codes below it
  --limit N        maximum number of codes, 1 to ${PAGE_LIMIT_MAX} (${SEARCH_LIMIT_DEFAULT})
  --lang en|ar     the language of the table (en); both languages are searched
  --json           print the data of /api/v1/search
  --include LIST   with --json: ${SEARCH_INCLUDES.join(', ')}, as in the API
  ${COUNTRY_HELP}
  ${SNAPSHOT_HELP}`

export const searchCommand: Command = {
  help: HELP,
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
    const page = answerOrThrow(search(catalog, query, numberOf(values, 'level'), numberOf(values, 'limit'), 0, within))
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
