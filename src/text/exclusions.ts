/** Finds exclusions, which do not name the goods: "bottles, other than of glass". */

/** Words that start an exclusion. "Not exceeding 5 kg" and "whether or not framed" do not exclude goods. */
const OPENS =
  /(?:other than|except(?:ing)?|excluding|(?<!or )not(?! (?:exceeding|more|less|over|under|above|below|only)))(?![\p{L}\p{N}])|(?:ما )?عدا(?![\p{L}])|(?:من غير|لغير|باستثناء|بخلاف)(?![\p{L}])/giu
const IN_WORD = /[\p{L}\p{N}]/u
const ENDS = ';؛)'
const COMMAS = ',،'
const LETTER = /\p{L}/u
/**
 * The last part of a list contains one of these words. After "other than" or "except", an exclusion continues past commas up to
 * this part. An Arabic exclusion ends at its first comma.
 */
const LAST_OF_LIST = /\b(?:and|or)\b/i
const OPENS_LIST = /than|exc/i
/** Longer than any description of the shipped dataset. In a longer text, the end of an exclusion is searched only this far. */
const LIST_CHARS_MAX = 300

/** The text without its exclusions, or the whole text if nothing else would be left. */
export function withoutExclusions(text: string): string {
  return splitExclusions(text).kept
}

/** Splits a text into the part that names the goods and the exclusions. A text that has only exclusions is kept whole. */
export function splitExclusions(text: string): { kept: string; excluded: readonly string[] } {
  const excluded: string[] = []
  let kept = ''
  let end = 0
  for (const { 0: opening, index } of text.matchAll(OPENS)) {
    // inside an exclusion, or only the end of a longer word
    if (index < end || (index > end && IN_WORD.test(text[index - 1]))) continue
    const start = index + opening.length
    kept += text.slice(end, index)
    end = exclusionEnd(text, start, opening)
    excluded.push(text.slice(start, end))
  }
  if (excluded.length === 0) return { kept: text, excluded }
  kept += text.slice(end)
  return LETTER.test(kept) ? { kept, excluded } : { kept: text, excluded: [] }
}

/** Position of the comma or other mark that ends an exclusion, or the length of the text. */
function exclusionEnd(text: string, start: number, opening: string): number {
  const isList = OPENS_LIST.test(opening)
  let firstComma = -1
  let partStart = start
  let at = start
  for (; at < text.length && !ENDS.includes(text[at]); at++) {
    if (!COMMAS.includes(text[at])) continue
    if (!isList || LAST_OF_LIST.test(text.slice(partStart, at))) return at
    if (firstComma < 0) firstComma = at
    if (at - start > LIST_CHARS_MAX) return firstComma
    partStart = at + 1
  }
  // a list without a last part ends at its first comma
  return firstComma < 0 || LAST_OF_LIST.test(text.slice(partStart, at)) ? at : firstComma
}
