/** A tool's result: a few lines of text and the same as fields; a refusal is marked as an error. */
import type { Catalog } from '../catalog/catalog.js'
import { ERRORS } from '../errors.js'
import type { Refusal } from '../questions/refusal.js'

/** A type, because interfaces lack the index signature that the protocol package wants. */
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

export interface CodeFields {
  hs_code: string
  description: string
  /** With language "both". */
  description_ar?: string
}

export function codeFields({ records }: Catalog, record: number, wording: Wording): CodeFields {
  const { en, ar } = records.description(record)
  return {
    hs_code: records.code(record),
    description: wording === 'ar' ? ar : en,
    ...(wording === 'both' && { description_ar: ar }),
  }
}

export function line({ hs_code, description, description_ar }: CodeFields): string {
  return `${hs_code}  ${description}${description_ar === undefined ? '' : ` · ${description_ar}`}`
}
