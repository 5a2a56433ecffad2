/** Duty texts of Gulf tariffs in both languages. A text is accepted only if the whole text is known. */
import type { RuleStatus } from '../../src/snapshot/country-format.js'

/** `rate` in percent, shortest form; '' unless `allowed`. */
export interface Duty {
  status: RuleStatus
  rate: string
}

const PERCENT = /^([0-9]{1,4}(?:\.[0-9]{1,4})?) ?%$/
const NUMBER = /^[0-9]{1,4}(?:\.[0-9]{1,4})?$/

const PHRASES: Readonly<Record<string, readonly string[]>> = {
  free: ['free', 'free of duty', 'exempt', 'exempted', 'معفاة', 'معفى'],
  prohibited: [
    'prohibited',
    'prohibited from importing',
    'prohibited from exporting and importing',
    'prohibited from importing and exporting',
    'ممنوع',
    'ممنوع استيراده',
    'ممنوع استيراده وتصديره',
  ],
  exportProhibited: ['prohibited from exporting', 'ممنوع تصديره'],
  unknown: ['-'],
}

/** Ignores case, blanks and the spelling of hamza and final letters. */
function fold(text: string): string {
  return text.toLowerCase().replace(/[أإآ]/g, 'ا').replace(/ة/g, 'ه').replace(/ى/g, 'ي').replace(/\s+/g, ' ').trim()
}

const MEANINGS: ReadonlyMap<string, Duty> = new Map(
  Object.entries(PHRASES).flatMap(([name, texts]) => texts.map(text => [fold(text), meaningOf(name)] as const)),
)

function meaningOf(name: string): Duty {
  if (name === 'free') return { status: 'allowed', rate: '0' }
  if (name === 'exportProhibited') return { status: 'export_prohibited', rate: '' }
  return { status: name === 'prohibited' ? 'prohibited' : 'unknown', rate: '' }
}

const allowed = (percent: string): Duty => ({ status: 'allowed', rate: String(Number(percent)) })

/** Undefined if the text is blank or not understood. */
export function readDutyText(text: string): Duty | undefined {
  const folded = fold(text)
  const percent = PERCENT.exec(folded)?.[1]
  return percent === undefined ? MEANINGS.get(folded) : allowed(percent)
}

/** Like `readDutyText`, but also reads a bare number as a percentage. */
export function readDutyNumber(text: string): Duty | undefined {
  const number = NUMBER.exec(text.trim())?.[0]
  if (number === undefined) return readDutyText(text)
  // 0.05 may be 5 % in a cell with a percent format
  return Number(number) > 0 && Number(number) < 1 ? undefined : allowed(number)
}
