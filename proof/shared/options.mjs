/** Parses and checks command lines. */
import { parseArgs } from 'node:util'

const EXIT_MISTAKE = 2

class OptionError extends Error {}

function integer(name, text, { min = 1, max }) {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value < min || value > max)
    throw new OptionError(`--${name} is "${text}"; it must be a whole number from ${min} to ${max}`)
  return value
}

function choice(name, text, { choices }) {
  if (!choices.includes(text)) throw new OptionError(`--${name} is "${text}"; it must be one of ${choices.join(', ')}`)
  return text
}

function readOption(name, text, option) {
  if (text === undefined) return option.default
  if (option.max !== undefined) return integer(name, text, option)
  return option.choices === undefined ? text : choice(name, text, option)
}

/**
 * @param {Record<string, {max?: number, min?: number, choices?: string[], default?: unknown}>} known an
 *   option with `max` is a number, any other is a text
 * @returns {Record<string, unknown>} by name; an invalid command line exits with a message, `--help` with the help
 */
export function readOptions(program, known, help) {
  try {
    const options = Object.fromEntries(Object.keys(known).map(name => [name, { type: 'string' }]))
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
    if (values.help) {
      process.stdout.write(`${help}\n`)
      process.exit(0)
    }
    return Object.fromEntries(Object.entries(known).map(([name, option]) => [name, readOption(name, values[name], option)]))
  } catch (error) {
    if (!(error instanceof OptionError) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error
    process.stderr.write(`${program}: ${error.message}\n`)
    process.exit(EXIT_MISTAKE)
  }
}
