/** Why a question gets no answer: a value that is returned, never thrown. */
import { ERRORS, type ErrorName } from '../errors.js'

/** What programs are told beside the sentence. */
export interface Details {
  readonly parameter?: string
  readonly nearest?: string
  readonly moved_to?: readonly string[]
  /** By which a fault of ours is found in the log. */
  readonly request_id?: string
}

export class Refusal {
  readonly name: ErrorName
  /** The sentence that takes the place of the error table's, if any. */
  readonly ownMessage: string | undefined
  readonly ownDetails: Details | undefined

  constructor(name: ErrorName, message?: string, details?: Details) {
    this.name = name
    this.ownMessage = message
    this.ownDetails = details
  }

  get message(): string {
    return this.ownMessage ?? ERRORS[this.name].message
  }

  get details(): Details | undefined {
    return this.ownDetails
  }
}

/** A well-formed code that does not exist. Callers cause these by the thousand, so its sentence is made when asked for. */
export class UnknownCode extends Refusal {
  readonly code: string
  /** So many of its digits make up the longest code above it that exists; 0 where there is none. */
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

  override get details(): Details | undefined {
    return this.nearestDigits === 0 ? undefined : { nearest: this.#nearest }
  }
}

/** A code that an earlier edition had and that is no more. */
export class MovedCode extends Refusal {
  constructor(code: string, nearest: string, movedTo: readonly string[]) {
    const [first = '', second] = movedTo
    const now = movedTo.length > 2 ? `${first}, ${second} or others` : movedTo.join(' or ')
    super('notFound', `HS code ${code} is not in the dataset; an earlier edition had it, and it is now ${now}.`, {
      ...(nearest !== '' && { nearest }),
      moved_to: movedTo,
    })
  }
}

/** Names the parameter for people in the message and for programs in the details. */
export function invalidParameter(parameter: string, rule: string): Refusal {
  return new Refusal('invalidParameter', `The parameter ${parameter} ${rule}.`, { parameter })
}
