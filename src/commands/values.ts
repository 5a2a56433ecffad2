/** Reads flags as typed values; errors name the flag. */
import { isDay } from '../day.js'
import { OperatorError } from '../errors.js'
import { oneOf } from '../questions/wording.js'
import type { Values } from './command.js'

export function required(values: Values, name: string, what: string): string {
  const value = values[name]
  if (value === undefined) throw new OperatorError(`--${name} is missing: ${what}`)
  return String(value)
}

/** Reads a flag that has fixed choices; the default is the first. */
export function choiceOf<Word extends string>(values: Values, name: string, words: readonly Word[]): Word {
  const given = values[name] ?? words[0]
  const found = words.find(word => word === given)
  if (found !== undefined) return found
  throw new OperatorError(`--${name} is "${given}"; it must be ${oneOf(words)}`)
}

export function wholeOf<Fallback>(values: Values, name: string, min: number, max: number, fallback: Fallback): number | Fallback {
  const given = values[name]
  if (given === undefined) return fallback
  const value = /^[0-9]{1,15}$/.test(String(given)) ? Number(given) : Number.NaN
  if (value >= min && value <= max) return value
  throw new OperatorError(`--${name} is "${given}"; it must be a whole number from ${min} to ${max}`)
}

export function addressOf(given: string): URL {
  if (/^https?:\/\/./.test(given) && URL.canParse(given)) return new URL(given)
  throw new OperatorError(`--url is "${given}"; it must be an address such as http://127.0.0.1:8080`)
}

/** Reads --date. */
export function dayOf(values: Values): string | undefined {
  const given = values.date
  if (given === undefined || isDay(String(given))) return given as string | undefined
  throw new OperatorError(`--date is "${given}"; it must be a day such as 2026-11-15`)
}
