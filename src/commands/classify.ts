import { classifiedJson, roundedScore } from '../answers/classified.js'
import type { Catalog } from '../catalog/catalog.js'
import type { Question, Verdict } from '../catalog/classify/classified.js'
import type { CountryView } from '../catalog/countries.js'
import { escapeControls } from '../control-characters.js'
import { UnmetError } from '../errors.js'
import {
  CLASSIFY_LEVEL_DEFAULT,
  CLASSIFY_LEVELS,
  CLASSIFY_LIMIT_DEFAULT,
  CLASSIFY_LIMIT_MAX,
  CLASSIFY_LINES_MAX,
  CLASSIFY_WITHIN_MAX,
  LANGUAGES,
} from '../limits.js'
import { type ClassifiedItem, classify, readItem, readTerms } from '../questions/classify.js'
import { Refusal } from '../questions/refusal.js'
import {
  answerOrThrow,
  COUNTRY_FLAGS,
  COUNTRY_HELP,
  countryOf,
  findWritten,
  numberOf,
  openCatalog,
  SNAPSHOT_FLAG,
  SNAPSHOT_HELP,
} from './ask.js'
import { type Command, flag, type Print, text } from './command.js'
import { readLines } from './stdin.js'
import { bold, printTable } from './terminal.js'
import { choiceOf } from './values.js'

type Language = (typeof LANGUAGES)[number]

const STATUSES = {
  clear: 'clear: the first code can be proposed',
  choose: 'choose: one of these codes is right',
  ask: 'ask: a fact is missing',
  unknown: 'unknown: no code was found for these words',
  decided: 'decided: the first code is from your own decisions',
} as const

/** Why a company's own decision no longer applies. */
const PROBLEMS = {
  old_edition: 'the decided code is from an earlier edition; the first codes replace it',
  unknown_code: 'the decided code does not exist in any edition',
  prohibited: 'the import of these goods is prohibited',
} as const

/** The line that asks for the missing detail if a text names no goods. */
const MISSING = { en: 'needed: {}', ar: 'المطلوب: {}' } as const
const fill = (text: string, fact: string): string => text.replace('{}', () => escapeControls(fact))

const VERDICTS = {
  agrees: 'agrees with the text',
  doubtful: 'is doubtful',
  contradicts: 'contradicts the text',
} as const

const COLUMNS = [{ title: 'code' }, { title: 'score', right: true }, { title: 'rate', right: true }, { title: 'description' }]
const SCORE_PLACES = 3

export interface Shown {
  catalog: Catalog
  view: CountryView | undefined
  language: Language
  /** The code of --code, or ''. */
  code: string
}

/** Returns each text with the start of its error messages, which is empty for a single text. */
async function readTexts(args: readonly string[]): Promise<{ text: string; where: string }[]> {
  if (args.length === 1 && args[0] === '-')
    return (await readLines()).map(({ line, number }) => ({ text: line, where: `line ${number}: ` }))
  if (args.length > 1 && args.every(arg => !/\s/.test(arg.trim())))
    process.stderr.write(`hsapi: these are ${args.length} texts; put quotes around a text of several words\n`)
  return args.map((arg, i) => ({ text: arg, where: args.length === 1 ? '' : `text ${i + 1}: ` }))
}

/** The matched words follow the description, because right-to-left words in a separate column would disturb the table. */
function candidateRows({ candidates }: ClassifiedItem, { catalog, view, language }: Shown): string[][] {
  return candidates.map(({ record, score, matched }) => [
    catalog.records.code(record),
    roundedScore(score).toFixed(SCORE_PLACES),
    `${(view ?? catalog).rateText(record)} %`,
    catalog.records.description(record)[language] + (matched.length === 0 ? '' : ` [${matched.join(', ')}]`),
  ])
}

function printQuestion({ text, answers }: Question, language: Language, print: Print): void {
  print(escapeControls(text[language]))
  print('to answer, run the command again with one of these:')
  const rows = answers.map(answer => [`  --within ${answer.within.join(',')}`, answer.text[language]])
  printTable([{}, {}], rows, print)
}

function printVerdict({ status, against }: Verdict, { catalog, code }: Shown, print: Print): void {
  const better = against.map(({ record }) => catalog.records.code(record)).join(', ')
  print(`${code} ${VERDICTS[status]}${better === '' ? '' : `; more likely: ${better}`}`)
}

export function printItem(item: ClassifiedItem, shown: Shown, print: Print): void {
  const { status, question, verdict, missing, decision } = item
  print(bold(escapeControls(item.text)))
  if (verdict !== undefined) printVerdict(verdict, shown, print)
  print(missing === undefined ? STATUSES[status] : `unknown: ${fill(MISSING[shown.language], missing[shown.language])}`)
  if (decision?.problem) print(`but ${PROBLEMS[decision.problem]}`)
  const rows = candidateRows(item, shown)
  if (rows.length > 0) printTable(COLUMNS, rows, print)
  if (question !== undefined) printQuestion(question, shown.language, print)
}

/** Throws if no code was found for any text, or if a text contradicts --code. */
export function checkOutcome(items: readonly ClassifiedItem[], code: string): void {
  const contradicted = items.filter(({ verdict }) => verdict?.status === 'contradicts')
  if (contradicted.length > 0) {
    const which =
      items.length === 1
        ? 'the text contradicts'
        : `${contradicted.length} of ${items.length} texts ${contradicted.length === 1 ? 'contradicts' : 'contradict'}`
    throw new UnmetError(`${which} ${code}`)
  }
  if (items.some(({ candidates }) => candidates.length > 0)) return
  throw new UnmetError(
    items.length === 1 ? `no code was found for ${escapeControls(items[0].text)}` : 'no code was found for any text',
  )
}

const HELP = `Usage: hsapi classify TEXT... [options]
       hsapi classify - [options]

Proposes codes for a product title or a line of an invoice, best first, each with a score from 0 to 1 and the words that support
it. Each argument is one text, so a text of several words needs quotes. - reads one text from each line of standard input, at
most ${CLASSIFY_LINES_MAX}. The status is clear (the first code can be proposed), choose (it is one of the codes), ask (a fact is missing:
answer the question by running the command again with --within) or unknown. A proposal is not a ruling. Exit code 1 if no code was found
for any text, or if a text contradicts --code.

  --code CODE      check whether the text agrees with this code, written as for lookup
  --level N        digits of the codes: ${CLASSIFY_LEVELS.join(', ')} (${CLASSIFY_LEVEL_DEFAULT})
  --within LIST    only these codes, 1 to ${CLASSIFY_WITHIN_MAX} separated by commas, and the codes below them
  --limit N        maximum number of codes for each text, 1 to ${CLASSIFY_LIMIT_MAX} (${CLASSIFY_LIMIT_DEFAULT})
  --lang en|ar     the language of the table (en); texts may be in either
  --json           print the data of /api/v1/classify
  ${COUNTRY_HELP}
  ${SNAPSHOT_HELP}`

export const classifyCommand: Command = {
  help: HELP,
  flags: { ...SNAPSHOT_FLAG, ...COUNTRY_FLAGS, code: text, level: text, within: text, limit: text, lang: text, json: flag },
  words: ['TEXT'],
  lastRepeats: true,
  run: async (values, args, print) => {
    const language = choiceOf(values, 'lang', LANGUAGES)
    const catalog = await openCatalog(values)
    const view = countryOf(values, catalog)
    const terms = answerOrThrow(readTerms(numberOf(values, 'level'), numberOf(values, 'limit')))
    const code = values.code === undefined ? '' : catalog.records.code(findWritten(catalog, String(values.code)))
    const within = values.within === undefined ? '' : String(values.within).split(',')
    const read = (await readTexts(args)).map(({ text, where }) => {
      const item = readItem(catalog, { text, within, hs_code: code }, terms)
      const isOfText = item instanceof Refusal && item.details?.parameter === 'text'
      return answerOrThrow(item, isOfText ? where : '')
    })
    const items = read.map(item => classify(catalog, item, view))
    if (values.json === true) print(`{"items":[${items.map(item => classifiedJson(catalog, item, view)).join()}]}`)
    else
      for (const [i, item] of items.entries()) {
        if (i > 0) print('')
        printItem(item, { catalog, view, language, code }, print)
      }
    checkOutcome(items, code)
  },
}
