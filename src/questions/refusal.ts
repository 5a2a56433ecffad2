/** Why a question has no answer: returned as a value, never thrown. */
import type { ErrorDetails } from '../contract/types.js'
import { ERRORS, type ErrorName } from '../errors.js'
import { findUnknownName, type UnknownName, unknownName } from '../unknown-name.js'

export class Refusal {
  readonly name: ErrorName
  /** Replaces the message of the error table. */
  readonly ownMessage: string | undefined
  readonly ownDetails: ErrorDetails | undefined

  constructor(name: ErrorName, message?: string, details?: ErrorDetails) {
    this.name = name
    this.ownMessage = message
    this.ownDetails = details
  }

  get message(): string {
    return this.ownMessage ?? ERRORS[this.name].message
  }

  get details(): ErrorDetails | undefined {
    return this.ownDetails
  }
}

/** A well-formed code that does not exist. This refusal is frequent, so its message is built only when it is read. */
export class UnknownCode extends Refusal {
  readonly code: string
  /** Digits of the longest existing prefix; 0 if there is none. */
  readonly nearestDigits: number

  constructor(code: string, nearestDigits: number) {
    super('notFound')
    this.code = code
    this.nearestDigits = nearestDigits
  }

  get #nearest(): string {
    return this.code.slice(0, this.nearestDigits)
  }

  override get message(): string {
    const hint = this.nearestDigits === 0 ? '' : `; the nearest code above it is ${this.#nearest}`
    return `HS code ${this.code} is not in the dataset${hint}.`
  }

  override get details(): ErrorDetails | undefined {
    return this.nearestDigits === 0 ? undefined : { nearest: this.#nearest }
  }
}

/** A code that only an earlier edition had. */
export function movedCode(code: string, nearest: string, movedTo: readonly string[]): Refusal {
  const message = `HS code ${code} is not in the dataset; an earlier edition had it, and it is now ${atMostTwo(movedTo, 'or')}.`
  return new Refusal('notFound', message, { ...(nearest !== '' && { nearest }), moved_to: movedTo })
}

/** A code that only the next edition has. */
export function laterCode(code: string, year: string, nearest: string, comesFrom: readonly string[]): Refusal {
  const message = `HS code ${code} is not in the dataset; it is a code of HS ${year} and takes over goods of ${atMostTwo(comesFrom, 'and')}.`
  return new Refusal('notFound', message, { ...(nearest !== '' && { nearest }), comes_from: comesFrom })
}

/** Names at most two codes. */
function atMostTwo(codes: readonly string[], word: 'or' | 'and'): string {
  const [first, second] = codes
  return codes.length > 2 ? `${first}, ${second} ${word} others` : codes.join(` ${word} `)
}

export function invalidParameter(parameter: string, rule: string): Refusal {
  return new Refusal('invalidParameter', `The parameter ${parameter} ${rule}.`, { parameter })
}

export function unknownParameter(name: string, known: readonly string[]): Refusal {
  return unknown(unknownName(name, known))
}

/** Refuses the first unknown name in a body, or in the item whose path is `prefix`. */
export function refuseUnknown(sent: object, known: readonly string[], prefix = ''): Refusal | undefined {
  const found = findUnknownName(sent, known, prefix)
  return found && unknown(found)
}

const unknown = ({ message, details }: UnknownName) => new Refusal('invalidParameter', message, details)
