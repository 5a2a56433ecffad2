import type { parseArgs } from 'node:util'

export type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>
export type Values = Record<string, string | boolean | string[] | undefined>
export type Print = (text: string) => void

export interface Command {
  help: string
  flags?: Flags
  /** Names of the positional arguments, all required. */
  words?: readonly string[]
  lastRepeats?: boolean
  /** Flags with an optional value: the next word is the value if it starts with a digit. */
  optionalValues?: readonly string[]
  run(values: Values, words: readonly string[], print: Print): Promise<void>
}

export const text = { type: 'string' } as const
/** A text flag that may be repeated. */
export const texts = { type: 'string', multiple: true } as const
export const flag = { type: 'boolean' } as const
