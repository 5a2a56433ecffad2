/** Folds spelling variants; build and queries both use it. */

/** Variants that Unicode decomposition does not unify. */
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

const MARKS = /\p{M}+/gu
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
// regexp-ignore: a class of single letters
const ALIKE_CLASS = new RegExp(`[${[...ALIKE.keys()].join('')}]`, 'gu')
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/gu

/**
 * Lower case, no accents, no harakat or tatweel, one form of alef, yaa and haa, ASCII digits. NFKD resolves presentation forms and
 * splits off hamza and accents.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(ALIKE_CLASS, char => ALIKE.get(char) ?? '')
    .replace(ARABIC_DIGITS, digit => String((digit.codePointAt(0) as number) & 15))
}

// regexp-ignore: linear, what begins with a letter or a digit always matches
const WORD = /\p{N}{2,7}-\p{N}{2}-\p{N}(?![\p{N}-])|\p{L}+|\p{N}+(?:[.,]\p{N}+)*/gu

/** Folded words: runs of letters, numbers with decimals, and CAS numbers such as 64-17-5. */
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
