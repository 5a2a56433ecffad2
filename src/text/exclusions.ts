/** Removes exclusions, which do not name the goods: "bottles, other than of glass". */

/** Measures ("not exceeding 5 kg", "whether or not framed") exclude nothing. */
const OPENS =
  /(?:other than|except(?:ing)?|excluding|(?<!or )not(?! (?:exceeding|more|less|over|under|above|below|only)))(?![\p{L}\p{N}])|(?:ما )?عدا(?![\p{L}])|(?:من غير|لغير|باستثناء|بخلاف)(?![\p{L}])/iu
const WORD_BEFORE = /[\p{L}\p{N}]$/u
const ENDS = /[;؛)]/u
const COMMA = /[,،]/u
const LETTER = /\p{L}/u
/** A list continues past commas up to the part with one of these; Arabic joins parts with one letter. */
const LAST_OF_LIST = /\b(?:and|or)\b/i
const OPENS_LIST = /than|exc/i

/** Unchanged if nothing would be left. */
export function withoutExclusions(text: string): string {
  let result = ''
  let rest = text
  for (let opening = OPENS.exec(rest); opening !== null; opening = OPENS.exec(rest)) {
    const before = rest.slice(0, opening.index)
    const after = rest.slice(opening.index + opening[0].length)
    if (WORD_BEFORE.test(before)) {
      // the end of a longer word
      result += before + opening[0]
      rest = after
      continue
    }
    result += before
    rest = after.slice(excludedLength(after, opening[0]))
  }
  if (rest === text) return text
  result += rest
  return LETTER.test(result) ? result : text
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
