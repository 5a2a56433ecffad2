/** Parses one option of the benchmark's command line. */
export class OptionError extends Error {}

export function integer(values, name, max, fallback) {
  const text = values[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value < 1 || value > max)
    throw new OptionError(`--${name} is "${text}"; it must be a whole number from 1 to ${max}`)
  return value
}

const MS_OF = { us: 0.001, ms: 1, s: 1000 }
const DURATION = /^(\d{1,9}(?:\.\d{1,6})?)(us|ms|s)$/

/** Parses `5ms`, `0.5s` or `800us` to milliseconds; undefined for anything else, including zero. */
export function readMilliseconds(text) {
  const [, number, unit = ''] = DURATION.exec(text) ?? []
  const value = Number(number) * MS_OF[unit]
  return value > 0 ? value : undefined
}
