/** A tool's result: a few lines of text, and the same content as fields. A refusal is marked as an error. */
import type { Catalog } from '../catalog/catalog.js'
import { ERRORS } from '../errors.js'
import type { Refusal } from '../questions/refusal.js'

/** A type, because interfaces lack the index signature that the protocol package needs. */
export type Answer = {
  content: { type: 'text'; text: string }[]
  structuredContent: Record<string, unknown>
  isError?: boolean
}

/** The answer to a list. The caller processes one item of the list in each turn of the event loop. */
export interface ListAnswer {
  /** Number of requests that the list counts as. */
  requests: number
  /** Processes one item; false if it was the last one. */
  work(): boolean
  answer(): Answer
}

export type Wording = 'en' | 'ar' | 'both'

export interface Worded {
  language?: Wording
}

export function answer(lines: readonly string[], fields: Record<string, unknown>): Answer {
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: fields }
}

export function refused(refusal: Refusal): Answer {
  const { name, message, details } = refusal
  const error = { code: ERRORS[name].code, message, ...details }
  return { content: [{ type: 'text', text: message }], structuredContent: { error }, isError: true }
}

/** Calls `answerOne` for each item, in order, and then `combine` with the answers. */
export function listAnswer<Item, One>(
  items: readonly Item[],
  answerOne: (item: Item) => One,
  combine: (all: readonly One[]) => Answer,
): ListAnswer {
  const done: One[] = []
  return {
    requests: items.length,
    work: () => done.push(answerOne(items[done.length])) < items.length,
    answer: () => combine(done),
  }
}

export interface CodeFields {
  hs_code: string
  description: string
  /** Present only with language "both". */
  description_ar?: string
}

const ELLIPSIS = '…'

/** Cuts a longer text between words and adds an ellipsis. */
export function short(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const start = text.slice(0, charsMax - 1)
  const space = start.lastIndexOf(' ')
  return `${start.slice(0, space > 0 ? space : undefined)}${ELLIPSIS}`
}

/** `charsMax` shortens the descriptions in a list; a single code is described in full. */
export function codeFields({ records }: Catalog, record: number, wording: Wording, charsMax = Infinity): CodeFields {
  const { en, ar } = records.description(record)
  return {
    hs_code: records.code(record),
    description: short(wording === 'ar' ? ar : en, charsMax),
    ...(wording === 'both' && { description_ar: short(ar, charsMax) }),
  }
}

export function worded({ en, ar }: { en: string; ar: string }, wording: Wording): string {
  if (wording === 'both') return `${en} · ${ar}`
  return wording === 'ar' ? ar : en
}

export function line({ hs_code, description, description_ar }: CodeFields): string {
  return `${hs_code}  ${description}${description_ar === undefined ? '' : ` · ${description_ar}`}`
}
