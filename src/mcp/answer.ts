/** What a tool gives back: a few lines to read and the same as fields. A refusal is a sentence, marked as an error. */
import type { Catalog } from '../catalog/catalog.js'
import { ERRORS } from '../errors.js'
import type { Refusal } from '../questions/refusal.js'

/** A type and no interface: the protocol's results may have further fields. */
export type Answer = {
  content: { type: 'text'; text: string }[]
  structuredContent: Record<string, unknown>
  isError?: boolean
}

export type Wording = 'en' | 'ar' | 'both'

export function answer(lines: readonly string[], fields: Record<string, unknown>): Answer {
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: fields }
}

export function refused(refusal: Refusal): Answer {
  const { name, message, details } = refusal
  const error = { code: ERRORS[name].code, message, ...details }
  return { content: [{ type: 'text', text: message }], structuredContent: { error }, isError: true }
}

/** A code with its words, in the language asked for. */
export interface Told {
  hs_code: string
  description: string
  /** Where both languages are asked for. */
  description_ar?: string
}

export function told({ records }: Catalog, record: number, wording: Wording): Told {
  const { en, ar } = records.description(record)
  return {
    hs_code: records.code(record),
    description: wording === 'ar' ? ar : en,
    ...(wording === 'both' && { description_ar: ar }),
  }
}

export function line({ hs_code, description, description_ar }: Told): string {
  return `${hs_code}  ${description}${description_ar === undefined ? '' : ` · ${description_ar}`}`
}
