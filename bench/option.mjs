/** One option of the benchmark's command line. */
export class OptionError extends Error {}

export function integer(values, name, max, fallback) {
  const text = values[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value < 1 || value > max)
    throw new OptionError(`--${name} is "${text}"; it must be a whole number from 1 to ${max}`)
  return value
}
