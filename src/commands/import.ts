import { DESCRIPTION_CHARS_MAX } from '../../build/checks/check.js'
import { type ChapterTitles, importFile, LAYOUTS } from '../../build/importers/import.js'
import { type ColumnMap, type ColumnRole, type Language, type Layout, ROLES } from '../../build/importers/layout.js'
import { Records } from '../catalog/records.js'
import { Trie } from '../catalog/trie.js'
import { OperatorError } from '../errors.js'
import { SnapshotError } from '../snapshot/format.js'
import { loadSnapshot } from '../snapshot/load.js'
import { shippedSnapshot } from '../snapshot-in-use.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { progressBar } from './progress.js'
import { choiceOf, required } from './values.js'

const LINES_SHOWN_MAX = 10

function readMap(text: string): ColumnMap {
  const map: ColumnMap = {}
  for (const part of text.split(',')) {
    const [role = '', column = ''] = part.split('=').map(word => word.trim())
    if (!(ROLES as string[]).includes(role) || column === '') {
      throw new OperatorError(`--map "${part}" must be one of ${ROLES.join(', ')}, then = and a column's name or number`)
    }
    map[role as ColumnRole] = column
  }
  return map
}

function percent(values: Values, name: string, fallback: number): number {
  const text = values[name]
  if (text === undefined) return fallback
  if (!/^[0-9]{1,4}(\.[0-9]{1,4})?$/.test(String(text))) {
    throw new OperatorError(`--${name} is "${text}"; it must be a percentage such as 5 or 6.5`)
  }
  return Number(text)
}

function missingLanguages(text: string): Language[] {
  return text.split(',').map(word => {
    const language = word.trim()
    if (language === 'en' || language === 'ar') return language
    throw new OperatorError(`--allow-missing is "${text}"; it must be en, ar or en,ar`)
  })
}

/** Titles for chapters that the file does not name. */
async function shippedTitles(print: Print): Promise<ChapterTitles> {
  try {
    const { columns, meta } = await loadSnapshot(shippedSnapshot())
    const trie = new Trie(columns)
    const records = new Records(columns, meta.rates)
    return chapter => {
      const record = trie.find(chapter)
      return record < 0 ? undefined : records.description(record)
    }
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    print(`chapters are titled by number only: ${error.message}`)
    return () => undefined
  }
}

function printLines(title: string, lines: { line: number; why: string }[], print: Print): void {
  if (lines.length === 0) return
  print(`${title}: ${lines.length}`)
  for (const { line, why } of lines.slice(0, LINES_SHOWN_MAX)) print(`  line ${line}: ${why}`)
  if (lines.length > LINES_SHOWN_MAX) print(`  … and ${lines.length - LINES_SHOWN_MAX} more`)
}

export const importCommand: Command = {
  flags: {
    layout: text,
    map: text,
    rates: text,
    'default-rate': text,
    'allow-missing': text,
    'self-contained': flag,
    edition: text,
    vat: text,
    out: text,
  },
  words: ['FILE'],
  run: async (values, [file], print) => {
    const names = [...LAYOUTS.keys()]
    required(values, 'layout', names.join(', '))
    const layout = LAYOUTS.get(choiceOf(values, 'layout', names)) as Layout
    const out = required(values, 'out', 'the directory to write the dataset to')
    const bar = progressBar(file)
    const defaultRate = percent(values, 'default-rate', layout.defaultRate)
    const summary = await importFile({
      file,
      layout,
      map: values.map === undefined ? {} : readMap(String(values.map)),
      ratesFile: values.rates === undefined ? undefined : String(values.rates),
      defaultRate,
      allowMissing: values['allow-missing'] === undefined ? [] : missingLanguages(String(values['allow-missing'])),
      selfContained: values['self-contained'] === true,
      edition: String(values.edition ?? `imported from ${layout.name}`),
      vatRate: percent(values, 'vat', 5),
      out,
      titles: () => shippedTitles(print),
      progress: (part, rows) => bar.draw(part, `${rows} rows`),
    }).finally(bar.clear)
    const levels = [...summary.codesByLevel].map(([digits, count]) => `${count} of ${digits} digits`)
    print(`${file}: ${summary.rowsRead} rows read`)
    print(`${out}: ${levels.join(', ')}`)
    if (summary.chaptersAdded.length > 0) print(`chapters added: ${summary.chaptersAdded.length}`)
    if (summary.completed > 0) print(`lines completed from their context: ${summary.completed}`)
    if (summary.defaulted > 0) {
      print(`undivided codes without a rate, given ${defaultRate} % (--default-rate): ${summary.defaulted}`)
    }
    printLines(`texts cut at ${DESCRIPTION_CHARS_MAX} characters`, summary.cut, print)
    printLines('rates ignored because they are not percentages', summary.oddRates, print)
    printLines('rows skipped', summary.skipped, print)
    print(`Next: hsapi check --dataset ${out} && hsapi build --dataset ${out}`)
  },
}
