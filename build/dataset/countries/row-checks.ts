/** Checks of single cells, for all tables of countries. */

import { isDay } from '../../../src/day.js'
import { checkBothLanguages } from '../both-languages.js'
import type { Defect } from '../defect.js'

const DIGITS = /^\d*$/
const DECIMAL = /^\d{1,9}(?:\.\d{1,6})?$/
const PERCENT_MAX = 10_000

export class RowChecks {
  constructor(
    private readonly file: string,
    private readonly line: number,
    private readonly defects: Defect[],
  ) {}

  report(message: string): void {
    this.defects.push({ file: this.file, line: this.line, message })
  }

  oneOf(name: string, value: string, values: readonly string[]): void {
    if (!values.includes(value)) this.report(`the ${name} is "${value}", not one of ${values.join(', ')}`)
  }

  prefix(value: string): void {
    if (!DIGITS.test(value) || value.length === 1) this.report(`the prefix "${value}" is neither blank nor two digits or more`)
  }

  filled(name: string, value: string): void {
    if (value.trim() === '') this.report(`the ${name} is missing`)
  }

  date(name: string, value: string): void {
    if (!isDay(value)) this.report(`the ${name} "${value}" is not a date such as 2026-11-15`)
  }

  /** Checks two days; either may be blank. */
  period(since: string, until = ''): void {
    if (since !== '') this.date('first day', since)
    if (until !== '') this.date('last day', until)
    if (since !== '' && until !== '' && until < since) this.report(`the last day ${until} is before the first, ${since}`)
  }

  /** Blank or a number of zero or more. */
  decimal(name: string, value: string): void {
    if (value !== '' && !DECIMAL.test(value)) this.report(`the ${name} "${value}" is not a number such as 5 or 6.5`)
  }

  percent(name: string, value: string): void {
    this.decimal(name, value)
    if (Number(value) > PERCENT_MAX) this.report(`the ${name} "${value}" is more than ${PERCENT_MAX} percent`)
  }

  bilingual(what: string, en: string, ar: string): void {
    checkBothLanguages(what, en, ar, message => this.report(message))
  }

  /** Checks that both cells are blank or both are filled. */
  optionalBilingual(what: string, en: string, ar: string): void {
    if (en !== '' || ar !== '') this.bilingual(what, en, ar)
  }
}

/** Reports rows with the same key as an earlier row. */
export class UniqueKeys {
  readonly #lines = new Map<string, number>()

  add(key: string, line: number, what: string, checks: RowChecks): void {
    const first = this.#lines.get(key)
    if (first === undefined) this.#lines.set(key, line)
    else checks.report(`${what} is already at line ${first}`)
  }
}

/** "5.50" → "5.5"; '' stays ''. */
export function shortest(decimal: string): string {
  return decimal === '' ? '' : String(Number(decimal))
}
