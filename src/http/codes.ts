/** What every endpoint with a code says when the code is malformed or unknown. */
import type { Catalog } from '../catalog/catalog.js'
import { CODE_DIGITS_MAX, digitsOnly, isCode } from '../hs-code.js'
import { decodePathPart, readPathPart } from './request.js'
import type { KeptRefusal, Responder } from './respond.js'
import type { HttpRequest } from './uws.js'

/** The refusal of an unknown code of a certain length: only its digits are written anew. */
interface UnknownCode {
  refusal: KeptRefusal
  /** Where the code stands, and where its nearest does: in the sentence and in the details. */
  code: number
  nearest: number
  details: number
}

export class Codes {
  readonly #catalog: Catalog
  readonly #digitsMax: number
  readonly #rule: string
  /** By the number of digits of the code and of its nearest, where there is one. */
  readonly #unknown: (UnknownCode | undefined)[] = new Array((CODE_DIGITS_MAX + 1) ** 2).fill(undefined)

  /** `what` begins the sentence that tells of a malformed code. */
  constructor(catalog: Catalog, what = 'An HS code', digitsMax = CODE_DIGITS_MAX) {
    this.#catalog = catalog
    this.#digitsMax = digitsMax
    this.#rule = `${what} is 2 to ${digitsMax} digits without dots or spaces`
  }

  /** The record of the code in the path, or -1 after the refusal has been sent. */
  findInPath(req: HttpRequest, out: Responder): number {
    const raw = readPathPart(req)
    const record = this.#catalog.trie.find(raw)
    if (record >= 0 && raw.length <= this.#digitsMax) return record
    if (!isCode(raw, this.#digitsMax)) return this.find(decodePathPart(raw), out)
    this.#refuseUnknown(raw, out)
    return -1
  }

  /** The code's record, or -1 after the refusal has been sent. */
  find(code: string, out: Responder): number {
    const record = this.#catalog.trie.find(code)
    if (record >= 0 && code.length <= this.#digitsMax) return record
    if (isCode(code, this.#digitsMax)) this.#refuseUnknown(code, out)
    else this.#refuseMalformed(code, out)
    return -1
  }

  #refuseMalformed(code: string, out: Responder): void {
    const digits = digitsOnly(code)
    const isHint = digits !== '' && digits !== code && digits.length <= this.#digitsMax
    out.refuse('invalidCode', { message: this.#rule + (isHint ? `; did you mean ${digits}?` : '.') })
  }

  /** Refusing must be cheap, and this is a refusal that callers cause by the thousand. */
  #refuseUnknown(code: string, out: Responder): void {
    const { trie, level } = this.#catalog
    const nearest = trie.nearest(code)
    const nearestDigits = nearest < 0 ? 0 : (level[nearest] as number)
    const index = code.length * (CODE_DIGITS_MAX + 1) + nearestDigits
    let unknown = this.#unknown[index]
    if (unknown === undefined) {
      unknown = prepareUnknown(code, nearestDigits, out)
      this.#unknown[index] = unknown
    }
    const { bytes } = unknown.refusal.body
    for (let i = 0; i < code.length; i++) bytes[unknown.code + i] = code.charCodeAt(i)
    for (let i = 0; i < nearestDigits; i++) {
      const digit = bytes[unknown.code + i] as number
      bytes[unknown.nearest + i] = digit
      bytes[unknown.details + i] = digit
    }
    out.endKeptRefusal(unknown.refusal)
  }
}

function prepareUnknown(code: string, nearestDigits: number, out: Responder): UnknownCode {
  const nearest = code.slice(0, nearestDigits)
  const sentence = `HS code ${code} is not in the dataset`
  const refusal =
    nearestDigits === 0
      ? out.keepRefusal('notFound', `${sentence}.`)
      : out.keepRefusal(
          'notFound',
          `${sentence}; the nearest code above it is ${nearest}.`,
          `"nearest":"${nearest}"`,
        )
  const text = Buffer.from(refusal.body.buffer).toString('latin1')
  const after = (words: string) => text.indexOf(words) + words.length
  return {
    refusal,
    code: after('"HS code '),
    nearest: after('above it is '),
    details: after('"nearest":"'),
  }
}
