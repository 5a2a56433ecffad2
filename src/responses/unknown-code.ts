/** Caches refusals of unknown codes: if codes and nearest codes have equal lengths, refusals differ only in their digits. */
import { CODE_DIGITS_MAX } from '../limits.js'
import type { UnknownCode } from '../questions/refusal.js'
import type { CachedRefusal } from './head.js'

interface Template {
  refusal: CachedRefusal
  /** Positions of the code, and of the nearest known code in message and details. */
  code: number
  nearest: number
  details: number
}

export class UnknownCodeRefusals {
  /** By the lengths of the code and of the nearest known code. */
  readonly #templates: (Template | undefined)[] = new Array((CODE_DIGITS_MAX + 1) ** 2).fill(undefined)

  /** The result is valid until the next call. */
  render(unknown: UnknownCode, cache: (refusal: UnknownCode) => CachedRefusal): CachedRefusal {
    const { code, nearestDigits } = unknown
    const index = code.length * (CODE_DIGITS_MAX + 1) + nearestDigits
    let template = this.#templates[index]
    if (template === undefined) {
      template = prepare(cache(unknown))
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

function prepare(refusal: CachedRefusal): Template {
  const text = Buffer.from(refusal.body.buffer).toString('latin1')
  const after = (words: string) => text.indexOf(words) + words.length
  return {
    refusal,
    code: after('"HS code '),
    nearest: after('above it is '),
    details: after('"nearest":"'),
  }
}
