import { OperatorError } from '../errors.js'

export type Environment = Record<string, string | undefined>
type Threads = 'first' | 'all'

interface Kind<Value> {
  /** Throws an `OperatorError` that names the variable. */
  read(text: string, name: string): Value
  fallback(env: Environment): Value
  /** The default as the documentation shows it. */
  fallbackText: string
}

export interface Setting<Value, Needed extends Threads = Threads> extends Kind<Value> {
  name: string
  threads: Needed
  description: string
}

/** A setting that only the first thread needs. */
export function first<Value>(name: string, description: string, kind: Kind<Value>): Setting<Value, 'first'> {
  return { name, threads: 'first', description, ...kind }
}

export function all<Value>(name: string, description: string, kind: Kind<Value>): Setting<Value, 'all'> {
  return { name, threads: 'all', description, ...kind }
}

export function text(fallback: string | ((env: Environment) => string), fallbackText = String(fallback)): Kind<string> {
  const fallbackOf = typeof fallback === 'string' ? () => fallback : fallback
  return { read: notBlank(fallbackText), fallback: fallbackOf, fallbackText }
}

export function optional<Value>(read: (text: string, name: string) => Value, fallbackText = 'none'): Kind<Value | undefined> {
  return { read, fallback: () => undefined, fallbackText }
}

/** The setting is a whole number; its value is that number times `unit`. */
export function number(fallback: number, [min, max]: readonly [number, number], unit = 1): Kind<number> {
  const read = (value: string, name: string) => unit * integer(min, max)(value, name)
  return { read, fallback: () => unit * fallback, fallbackText: String(fallback) }
}

/** The setting is one of several words; the first is the default. */
export function choice<const Choice extends string>(...choices: readonly [Choice, ...Choice[]]): Kind<Choice> {
  const [first] = choices
  return { read: oneOf(choices), fallback: () => first, fallbackText: first }
}

/** The setting is one of two words; the first is the default. Its value is true if the word is `yes`. */
export function flag(words: readonly [string, string], yes: string): Kind<boolean> {
  const read = (value: string, name: string) => oneOf(words)(value, name) === yes
  return { read, fallback: () => words[0] === yes, fallbackText: words[0] }
}

/** The setting is a comma-separated list, which is empty by default. */
export function list<Entry>(readEntry: (entry: string, name: string) => Entry[]): Kind<Entry[]> {
  const read = (value: string, name: string) => value.split(',').flatMap(entry => readEntry(entry.trim(), name))
  return { read, fallback: () => [], fallbackText: 'none' }
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
