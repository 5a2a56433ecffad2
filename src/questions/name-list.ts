/** Parameters that are lists of names, such as `fields`. */
import { invalidParameter, type Refusal } from './refusal.js'

const SHOWN_NAME = /^[\w.]{1,30}$/

/** Reads a list of names; undefined for an empty list. A repeated name counts once. */
export function readNames<Name extends string>(
  parameter: string,
  names: readonly string[],
  allowed: readonly Name[],
): ReadonlySet<Name> | undefined | Refusal {
  const unknown = names.find(name => !(allowed as readonly string[]).includes(name))
  if (unknown === undefined) return names.length === 0 ? undefined : new Set(names as readonly Name[])
  const which = SHOWN_NAME.test(unknown) ? `; ${unknown} is not one of them` : ''
  return invalidParameter(parameter, `must be one or more of ${allowed.join(', ')}${which}`)
}

export const namesIn = (list: string): string[] => (list === '' ? [] : list.split(','))
