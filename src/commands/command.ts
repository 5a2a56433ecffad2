/** What the command line knows of a command. */
import type { parseArgs } from 'node:util'

export type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>
export type Values = Record<string, string | boolean | undefined>
export type Print = (text: string) => void

export interface Command {
  flags: Flags
  /** Names of the words that must follow the command. */
  words: readonly string[]
  /** Whether the last of them may be several. */
  lastRepeats?: boolean
  /** Flags that may stand without a value, which is then empty. The word after one is its value where it begins with a digit. */
  optionalValues?: readonly string[]
  run(values: Values, words: readonly string[], print: Print): Promise<void>
}

export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const
