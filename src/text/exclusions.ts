/** Finds exclusions, which do not name the goods: "bottles, other than of glass". */

/** Words that start an exclusion. "Not exceeding 5 kg" and "whether or not framed" do not exclude goods. */
const OPENS =
  /(?:other than|except(?:ing)?|excluding|(?<!or )not(?! (?:exceeding|more|less|over|under|above|below|only)))(?![\p{L}\p{N}])|(?:ما )?عدا(?![\p{L}])|(?:من غير|لغير|باستثناء|بخلاف)(?![\p{L}])/iu
const WORD_BEFORE = /[\p{L}\p{N}]$/u
const ENDS = /[;؛)]/u
const COMMA = /[,،]/u
const LETTER = /\p{L}/u
/**
 * The last part of a list contains one of these words. After "other than" or "except", an exclusion continues past commas up to
 * this part. An Arabic exclusion ends at its first comma.
 */
const LAST_OF_LIST = /\b(?:and|or)\b/i
const OPENS_LIST = /than|exc/i

/** The text without its exclusions, or the whole text if nothing else would be left. */
export function withoutExclusions(text: string): string {
  return splitExclusions(text).kept
}

/** Splits a text into the part that names the goods and the exclusions. A text that has only exclusions is kept whole. */
export function splitExclusions(text: string): { kept: string; excluded: readonly string[] } {
  const excluded: string[] = []
  let kept = ''
  let rest = text
  for (let opening = OPENS.exec(rest); opening !== null; opening = OPENS.exec(rest)) {
    const before = rest.slice(0, opening.index)
    const after = rest.slice(opening.index + opening[0].length)
    if (WORD_BEFORE.test(before)) {
      // the match is only the end of a longer word
      kept += before + opening[0]
      rest = after
      continue
    }
    kept += before
    const length = excludedLength(after, opening[0])
    excluded.push(after.slice(0, length))
    rest = after.slice(length)
  }
  if (rest === text) return { kept: text, excluded }
  kept += rest
  return LETTER.test(kept) ? { kept, excluded } : { kept: text, excluded: [] }
}

function excludedLength(after: string, opening: string): number {
  const clause = after.slice(0, lengthUntil(after, ENDS))
  const parts = clause.split(COMMA)
  const last = OPENS_LIST.test(opening) ? parts.findIndex(part => LAST_OF_LIST.test(part)) : 0
  return parts.slice(0, Math.max(0, last) + 1).join(',').length
}

function lengthUntil(text: string, end: RegExp): number {
  const at = text.search(end)
  return at < 0 ? text.length : at
}
