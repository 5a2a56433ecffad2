/** Folds spelling variants, in the build and in queries. */

/** Variants that Unicode decomposition does not unify, by their plain spelling. */
const VARIANTS: Readonly<Record<string, string>> = {
  ي: 'ىیېے',
  ك: 'کگ',
  ه: 'ةہھ',
  ا: 'ٱ',
  ب: 'پ',
  ج: 'چ',
  ف: 'ڤ',
  ز: 'ژ',
  '': "ءـ'’‘`ʼ",
  ss: 'ß',
  o: 'ø',
  l: 'ł',
  ae: 'æ',
  oe: 'œ',
  i: 'ı',
  u: 'µ',
}
const ALIKE = new Map(Object.entries(VARIANTS).flatMap(([plain, variants]) => [...variants].map(one => [one, plain] as const)))

const MARKS = /\p{M}+/gu
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
// regexp-ignore: linear, a class of single letters
const ALIKE_CLASS = new RegExp(`[${[...ALIKE.keys()].join('')}]`, 'gu')
/** ASCII except apostrophes: half of all texts match, and only their case changes. */
const PLAIN = /^[ -&(-_a-~]*$/
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/gu

/**
 * Lower case, no accents, no harakat or tatweel, one form of alef, yaa and haa, ASCII digits. NFKD resolves presentation forms
 * and splits off hamza and accents.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(ALIKE_CLASS, char => ALIKE.get(char) ?? '')
    .replace(ARABIC_DIGITS, digit => String((digit.codePointAt(0) as number) & 15))
}

const WORD = /[0-9]{2,7}-[0-9]{2}-[0-9](?![\p{N}-])|\p{L}+|\p{N}+(?:[.,]\p{N}+)*/gu

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
