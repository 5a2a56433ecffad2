/**
 * Letters that people write in several ways become one. Everything that reads text for search, the build and
 * the queries alike, goes through here first.
 */

/** Letters that no Unicode decomposition relates, though readers do. */
const ALIKE = new Map<string, string>([
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ې', 'ي'],
  ['ے', 'ي'],
  ['ک', 'ك'],
  ['گ', 'ك'],
  ['ة', 'ه'],
  ['ہ', 'ه'],
  ['ھ', 'ه'],
  ['ٱ', 'ا'],
  ['پ', 'ب'],
  ['چ', 'ج'],
  ['ڤ', 'ف'],
  ['ژ', 'ز'],
  ['ء', ''],
  ['ـ', ''],
  ['ß', 'ss'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
  ['µ', 'u'],
  ["'", ''],
  ['’', ''],
  ['‘', ''],
  ['`', ''],
  ['ʼ', ''],
])

const PLAIN = /^[a-z0-9 ]*$/
const MARKS = /\p{M}+/gu
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
const ALIKE_CLASS = new RegExp(`[${[...ALIKE.keys()].join('')}]`, 'gu')
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/gu

/**
 * Lower case, no accents, no harakat or tatweel, one form of alef, yaa and haa, ASCII digits.
 * NFKD does the larger part: it takes presentation forms apart and splits hamza and accents off their letters.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(ALIKE_CLASS, char => ALIKE.get(char) ?? '')
    .replace(ARABIC_DIGITS, digit => String((digit.codePointAt(0) as number) & 15))
}

const WORD = /\p{N}{2,7}-\p{N}{2}-\p{N}(?![\p{N}-])|\p{L}+|\p{N}+(?:[.,]\p{N}+)*/gu

/** The words of a text, folded: runs of letters, numbers with their decimals, and CAS numbers, such as 64-17-5, whole. */
export function words(text: string): string[] {
  return wordsOfFolded(fold(text))
}

export function wordsOfFolded(folded: string): string[] {
  return folded.match(WORD) ?? []
}

export function isArabic(word: string): boolean {
  const c = word.charCodeAt(0)
  return c >= 0x600 && c <= 0x6ff
}
