/** The shape of a classified text. */
import type { Description, HsRecord } from './record-shapes.js'

export interface ClassifyItem {
  /** 2 to 500 characters: a product title, English or Arabic. */
  readonly text: string
  /** Only codes at or below this one of 2 to 12 digits, or one of these: at most 20. */
  readonly within?: string | readonly string[]
  /** A code to verify against the text. */
  readonly hs_code?: string
}

export interface Candidate extends Pick<HsRecord, 'hs_code' | 'description' | 'level' | 'tariff_rate'> {
  /** 0 to 1: how likely the code is right. */
  readonly score: number
  /** Words of the text that speak for the code. */
  readonly matched: readonly string[]
}

/** What decides between the candidates: send the text again with the `within` of an answer. */
export interface ClassifyQuestion {
  readonly text: Description
  readonly answers: readonly ClassifyAnswer[]
}

export interface ClassifyAnswer {
  readonly text: Description
  readonly within: readonly string[]
}

/** Whether text and code agree. */
export interface Verdict {
  readonly status: 'agrees' | 'doubtful' | 'contradicts'
  /** Better candidates, best first. */
  readonly against: readonly Candidate[]
}

export interface Classified {
  /** As sent. */
  readonly text: string
  /** The first candidate is safe to propose; one of the candidates; a fact is missing; nothing known. */
  readonly status: 'clear' | 'choose' | 'ask' | 'unknown'
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** Null unless the status is `ask`. */
  readonly question: ClassifyQuestion | null
  /** Null where no code was sent. */
  readonly verdict: Verdict | null
}

export interface Classification {
  readonly items: readonly Classified[]
}
