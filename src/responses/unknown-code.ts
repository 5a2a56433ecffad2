/**
 * The refusal of an unknown code, kept ready: callers cause it by the thousand, and between two of them with as many
 * digits only those digits differ.
 */
import { CODE_DIGITS_MAX } from '../limits.js'
import type { UnknownCode } from '../questions/refusal.js'
import type { KeptRefusal } from './kept.js'

interface Template {
  refusal: KeptRefusal
  /** Where the code stands, and where its nearest does: in the sentence and in the details. */
  code: number
  nearest: number
  details: number
}

export class UnknownCodeRefusals {
  /** By the number of digits of the code and of its nearest, where there is one. */
  readonly #templates: (Template | undefined)[] = new Array((CODE_DIGITS_MAX + 1) ** 2).fill(undefined)

  /** Good until the next call. `keep` renders one that is not there yet. */
  showing(unknown: UnknownCode, keep: (refusal: UnknownCode) => KeptRefusal): KeptRefusal {
    const { code, nearestDigits } = unknown
    const index = code.length * (CODE_DIGITS_MAX + 1) + nearestDigits
    let template = this.#templates[index]
    if (template === undefined) {
      template = prepare(keep(unknown))
      this.#templates[index] = template
    }
    const { bytes } = template.refusal.body
    for (let i = 0; i < code.length; i++) bytes[template.code + i] = code.charCodeAt(i)
    for (let i = 0; i < nearestDigits; i++) {
      const digit = bytes[template.code + i]
      bytes[template.nearest + i] = digit
      bytes[template.details + i] = digit
    }
    return template.refusal
  }
}

function prepare(refusal: KeptRefusal): Template {
  const text = Buffer.from(refusal.body.buffer).toString('latin1')
  const after = (words: string) => text.indexOf(words) + words.length
  return {
    refusal,
    code: after('"HS code '),
    nearest: after('above it is '),
    details: after('"nearest":"'),
  }
}
