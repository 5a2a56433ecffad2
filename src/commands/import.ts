import { DESCRIPTION_CHARS_MAX } from '../../build/checks/check.js'
import { importFile, LAYOUTS, type Titles } from '../../build/importers/import.js'
import { type ColumnMap, type ColumnRole, type Language, type Layout, ROLES } from '../../build/importers/layout.js'
import { Records } from '../catalog/records.js'
import { Trie } from '../catalog/trie.js'
import { OperatorError } from '../errors.js'
import { SnapshotError } from '../snapshot/format.js'
import { loadSnapshot } from '../snapshot/load.js'
import { shippedSnapshot } from '../snapshot-in-use.js'
import { type Command, flag, type Print, text, type Values } from './command.js'
import { importAsCountry } from './import-country.js'
import { printLines } from './import-report.js'
import { progressBar } from './progress.js'
import { choiceOf, dayOf, required } from './values.js'

const VAT_RATE = 5

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

/** Finds titles in the shipped snapshot, for codes that are missing from the file. */
async function shippedTitles(print: Print): Promise<Titles> {
  try {
    const { columns, meta } = await loadSnapshot(shippedSnapshot())
    const trie = new Trie(columns)
    const records = new Records(columns, meta.rates)
    return code => {
      const record = trie.find(code)
      return record < 0 ? undefined : records.description(record)
    }
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    print(`chapters are titled by number only: ${error.message}`)
    return () => undefined
  }
}

const HELP = `Usage: hsapi import FILE --layout gcc12|zatca|dubai|us-hts|eu-taric|generic --out DIR [options]
       hsapi import FILE --layout zatca --as-country SA [--date YYYY-MM-DD] --out DIR
       hsapi import FILE --layout dubai --as-country AE --date YYYY-MM-DD --out DIR

Reads a CSV or XLSX file (first sheet) and writes a dataset that check and build accept. With --as-country it writes a country
layer for "hsapi build --base SNAPSHOT --layer COUNTRY=DIR" instead. If a duty text of zatca or dubai is not understood, it is
reported with its row, nothing is written, and the exit code is 1.

  --layout NAME        gcc12     12 padded digits, dashes for depth, Arabic and English
                       zatca     Saudi Arabia, Tariff.xlsx of ZATCA: duty texts in both languages, a date for each line
                       dubai     Dubai Customs, HSCodeMaster: NewHSCode, LongDescEn, LongDescAr, DutyPercentage
                       us-hts    dotted codes with indents, rates such as Free and 6.4%
                       eu-taric  10 padded digits with a level per row
                       generic   any table with a column of codes
  --out DIR            the directory to write to; it must be empty or not exist
  --as-country XX      SA with zatca, AE with dubai
  --date YYYY-MM-DD    the day of the list (zatca: the newest date in the file; dubai: required with --as-country)
  --map ROLE=COLUMN,…  which column has code, en, ar, rate, rate_ar, date or indent, by header or by number from 1
  --rates FILE         a CSV of codes and percentages that replace the file's rates
  --default-rate N     percent for codes without a rate (gcc12, zatca, dubai: 5, else 0)
  --allow-missing L    en, ar or en,ar: import although descriptions in that language are missing
  --self-contained     complete bare "Other" lines from their context and siblings
  --edition NAME       the name of the dataset
  --vat N              VAT in percent (zatca: 15, else 5)`

export const importCommand: Command = {
  help: HELP,
  flags: {
    layout: text,
    map: text,
    rates: text,
    'default-rate': text,
    'allow-missing': text,
    'self-contained': flag,
    edition: text,
    vat: text,
    'as-country': text,
    date: text,
    out: text,
  },
  words: ['FILE'],
  run: async (values, [file], print) => {
    const names = [...LAYOUTS.keys()]
    required(values, 'layout', names.join(', '))
    const layout = LAYOUTS.get(choiceOf(values, 'layout', names)) as Layout
    const out = required(values, 'out', 'the directory to write to')
    const map = values.map === undefined ? {} : readMap(String(values.map))
    if (values['as-country'] !== undefined) return importAsCountry({ file, layout, map, out, values, print })
    const bar = progressBar(file)
    const defaultRate = percent(values, 'default-rate', layout.defaultRate)
    const summary = await importFile({
      file,
      layout,
      map,
      ratesFile: values.rates === undefined ? undefined : String(values.rates),
      defaultRate,
      allowMissing: values['allow-missing'] === undefined ? [] : missingLanguages(String(values['allow-missing'])),
      selfContained: values['self-contained'] === true,
      edition: String(values.edition ?? `imported from ${layout.name}`),
      vatRate: percent(values, 'vat', layout.vatRate ?? VAT_RATE),
      date: dayOf(values),
      out,
      titles: () => shippedTitles(print),
      progress: (part, rows) => bar.draw(part, `${rows} rows`),
    }).finally(bar.clear)
    const levels = [...summary.codesByLevel].map(([digits, count]) => `${count} with ${digits} digits`)
    print(`${file}: ${summary.rowsRead} rows read`)
    print(`${out}: ${levels.join(', ')}`)
    const chapters = summary.added.filter(({ length }) => length === 2).length
    if (chapters > 0) print(`chapters added: ${chapters}`)
    if (summary.added.length > chapters) print(`headings and subheadings added: ${summary.added.length - chapters}`)
    if (summary.lines !== undefined && summary.lines.prohibited > 0)
      print(`lines prohibited to import, in controls.csv: ${summary.lines.prohibited}`)
    if (summary.completed > 0) print(`lines whose texts were completed from the codes above: ${summary.completed}`)
    if (summary.defaulted > 0) {
      print(`codes without subdivisions and without a rate, set to ${defaultRate} % (--default-rate): ${summary.defaulted}`)
    }
    printLines(`texts cut at ${DESCRIPTION_CHARS_MAX} characters`, summary.cut, print)
    printLines('rates ignored because they are not percentages', summary.oddRates, print)
    printLines('lines for which the file has no import rate', summary.lines?.unknown ?? [], print)
    if (summary.titles > 0) print(`titles of sub-chapters left out: ${summary.titles}`)
    printLines('rows skipped', summary.skipped, print)
    print(`Next: hsapi check --dataset ${out} && hsapi build --dataset ${out}`)
  },
}
