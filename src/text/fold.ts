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

/** ASCII and Arabic letters are folded through a table; the rest goes through `foldAny`. */
const KNOWN_CODES = 0x700
const isKnown = (code: number) => code < 0x80 || code >= 0x600
/** By UTF-16 code. */
const FOLDED_CODES = Array.from({ length: KNOWN_CODES }, (_, code) => (isKnown(code) ? foldAny(String.fromCharCode(code)) : ''))
const STAYS = 0
const CHANGES = 1
const UNKNOWN = 2
const FOLDING = Uint8Array.from(FOLDED_CODES, (folded, code) => {
  if (!isKnown(code)) return UNKNOWN
  return folded === String.fromCharCode(code) ? STAYS : CHANGES
})

/** Lower case, no accents, no harakat or tatweel, one form of alef, yaa and haa, ASCII digits. */
export function fold(text: string): string {
  let folded = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const folding = code < KNOWN_CODES ? FOLDING[code] : UNKNOWN
    if (folding === STAYS) continue
    if (folding === UNKNOWN) return foldAny(text)
    folded += text.slice(from, i) + FOLDED_CODES[code]
    from = i + 1
  }
  return from === 0 ? text : folded + text.slice(from)
}

/** NFKD resolves presentation forms and splits off hamza and accents. */
export function foldAny(text: string): string {
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

const BETWEEN = 0
const LETTER = 1
const DIGIT = 2
const KINDS = Uint8Array.from({ length: KNOWN_CODES }, (_, code) => {
  const char = String.fromCharCode(code)
  return /\p{L}/u.test(char) ? LETTER : /\p{N}/u.test(char) ? DIGIT : BETWEEN
})

/** Fast path for runs of letters and digits; anything else uses the expression. */
export function wordsOfFolded(folded: string): string[] {
  const list: string[] = []
  let from = 0
  let kind = BETWEEN
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i)
    if (code >= KNOWN_CODES) return anyWords(folded)
    const next = KINDS[code]
    if (next === kind) continue
    if (kind !== BETWEEN) list.push(folded.slice(from, i))
    if (kind === DIGIT && next === BETWEEN && isNumberAt(folded, i + 1)) return anyWords(folded)
    kind = next
    from = i
  }
  if (kind !== BETWEEN) list.push(folded.slice(from))
  return list
}

/** A number may continue after a point or hyphen. */
function isNumberAt(folded: string, at: number): boolean {
  return at < folded.length && KINDS[folded.charCodeAt(at)] === DIGIT
}

export function anyWords(folded: string): string[] {
  return folded.match(WORD) ?? []
}

export function isArabic(word: string): boolean {
  const c = word.charCodeAt(0)
  return c >= 0x600 && c <= 0x6ff
}
