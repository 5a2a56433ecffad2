/** The kinds of settings. */
import { OperatorError } from '../errors.js'

export type Environment = Record<string, string | undefined>
/** Which threads need a setting. */
type Threads = 'first' | 'all'

export interface Setting<Value, Needed extends Threads = Threads> {
  /** The environment variable. */
  name: string
  threads: Needed
  description: string
  /** Throws an `OperatorError` that names the variable. */
  read(text: string, name: string): Value
  fallback(env: Environment): Value
  /** The fallback in the documentation. */
  fallbackText: string
}

/** Not blank. */
export function text<T extends Threads>(
  name: string,
  threads: T,
  description: string,
  fallback: string | ((env: Environment) => string),
  fallbackText = String(fallback),
): Setting<string, T> {
  const fallbackOf = typeof fallback === 'string' ? () => fallback : fallback
  return { name, threads, description, read: notBlank(fallbackText), fallback: fallbackOf, fallbackText }
}

export function optional<T extends Threads, Value = string>(
  name: string,
  threads: T,
  description: string,
  read: (text: string, name: string) => Value,
  fallbackText = 'none',
): Setting<Value | undefined, T> {
  return { name, threads, description, read, fallback: () => undefined, fallbackText }
}

/** A whole number, multiplied by `unit`. */
export function number<T extends Threads>(
  name: string,
  threads: T,
  description: string,
  fallback: number,
  [min, max]: readonly [number, number],
  unit = 1,
): Setting<number, T> {
  const read = (value: string) => unit * integer(min, max)(value, name)
  return { name, threads, description, read, fallback: () => unit * fallback, fallbackText: String(fallback) }
}

/** One of several words; the first is the default. */
export function choice<T extends Threads, const Choice extends string>(
  name: string,
  threads: T,
  description: string,
  choices: readonly [Choice, ...Choice[]],
): Setting<Choice, T> {
  const [first] = choices
  return { name, threads, description, read: oneOf(choices), fallback: () => first, fallbackText: first }
}

/** True for the word `yes`; the first word is the default. */
export function flag<T extends Threads>(
  name: string,
  threads: T,
  description: string,
  words: readonly [string, string],
  yes: string,
): Setting<boolean, T> {
  const read = (value: string) => oneOf(words)(value, name) === yes
  return { name, threads, description, read, fallback: () => words[0] === yes, fallbackText: words[0] }
}

/** Comma-separated; empty by default. */
export function list<T extends Threads, Entry>(
  name: string,
  threads: T,
  description: string,
  readEntry: (entry: string, name: string) => Entry[],
): Setting<Entry[], T> {
  const read = (value: string) => value.split(',').flatMap(entry => readEntry(entry.trim(), name))
  return { name, threads, description, read, fallback: () => [], fallbackText: 'none' }
}

export function notBlank(fallbackText: string) {
  return (value: string, name: string): string => {
    if (value.trim() === '') throw new OperatorError(`${name} is set but empty; unset it to use ${fallbackText}`)
    return value
  }
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return (value: string, name: string): Choice =>
    choices.find(one => one === value) ?? refuse(name, value, `one of ${choices.join(', ')}`)
}

export function integer(min: number, max: number) {
  return (value: string, name: string): number =>
    /^[0-9]{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : refuse(name, value, `a whole number from ${min} to ${max}`)
}

function refuse(name: string, value: string, rule: string): never {
  throw new OperatorError(`${name} is "${value}"; it must be ${rule}`)
}
