/** Finds unknown names of parameters, fields and options, and the known name that was probably meant. */
import { isWithin } from './text/spelling.js'

const SHOWN_CHARS_MAX = 40
const TYPOS_MAX = 2
/** At most one typo per three letters, because a name with more typos could be a different word. */
const LETTERS_PER_TYPO = 3
const PLAIN = /^[\w.…-]+$/
const NOT_LETTERS = /[^\p{L}\p{N}]/gu

export interface UnknownName {
  message: string
  details: { parameter: string; did_you_mean?: string }
}

/** The first unknown name in an object. `prefix` is the path of the object, such as `items[0].`. */
export function findUnknownName(sent: object, known: readonly string[], prefix = ''): UnknownName | undefined {
  const name = Object.keys(sent).find(name => !known.includes(name))
  return name === undefined ? undefined : unknownName(name, known, prefix)
}

export function unknownName(name: string, known: readonly string[], prefix = ''): UnknownName {
  const shown = name.length > SHOWN_CHARS_MAX ? `${name.slice(0, SHOWN_CHARS_MAX)}…` : name
  const near = nearestName(name, known)
  const hint = near === undefined ? `known parameters are ${known.join(', ')}.` : `did you mean ${near}?`
  return {
    message: `The parameter ${prefix}${PLAIN.test(shown) ? shown : JSON.stringify(shown)} is unknown; ${hint}`,
    details: { parameter: prefix + shown, ...(near !== undefined && { did_you_mean: near }) },
  }
}

/** The known name with the fewest typos; if there are several, the first. Letter case and separators do not matter. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > SHOWN_CHARS_MAX) return undefined
  const letters = lettersOf(name)
  for (let typos = 0; typos <= TYPOS_MAX; typos++) {
    const near = known.find(one => {
      const wanted = lettersOf(one)
      return wanted.length >= typos * LETTERS_PER_TYPO && isWithin(letters, wanted, typos)
    })
    if (near !== undefined) return near
  }
  return undefined
}

const lettersOf = (name: string): string => name.toLowerCase().replace(NOT_LETTERS, '')
