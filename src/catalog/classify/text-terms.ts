/** The words of a text and their terms in the index, of which only the first TERMS_MAX are kept. */
import { isArabic, words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import type { Brands, FoundBrand } from '../brands.js'
import type { Vocabulary } from '../search/vocabulary.js'
import { TERMS_MAX } from './features.js'

export interface TextTerms {
  /** Indices into the vocabulary, in the order of the text; unknown words are left out. */
  terms: number[]
  /** The word of each term as written: "T-shirt" for both of its terms. */
  written: string[]
  /**
   * The term that names the goods, or -1: in English the last term before a word such as "with" or "for", in Arabic the first.
   */
  head: number
  /** All words, folded, without names of brands and their models. */
  words: string[]
  /** How many of these words may name goods: they start with three letters and are not words such as "with". */
  named: number
  /** How many of the words counted in `named` are not in the index. */
  unknown: number
  /** Brands of the goods, not of what the goods are for. */
  brands: FoundBrand[]
  /** Brands of what the goods are for: "case for iPhone". */
  purposes: FoundBrand[]
}

/** The words after these describe the goods and do not name them: "paint mixer with bowl". */
const LINKS: ReadonlySet<string> = new Set(
  (
    'for with from in on by to compatible fit fits without containing including used via under over per into at ' +
    'مع من في علي بدون دون عن مناسب متوافق'
  ).split(' '),
)
/** A brand after one of these words is what the goods are for: "case for iPhone". */
const PURPOSE: ReadonlySet<string> = new Set('for fits fit compatible with لـ متوافق مناسب مع'.split(' '))
const OPENING_MARK = /^[([|/–-]/
const CLOSING_MARK = /[,،;:|)\]/]$/
/** From the first letter or digit to the last. */
const FROM_FIRST_TO_LAST = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su
const LETTERS = /^\p{L}{2}/u
const NAMING = /^\p{L}{3}/u

/** Words for goods that are made for the goods of a brand: "iPhone 15 case". */
const ADDITIONS: ReadonlySet<string> = new Set(
  (
    'case cases cover covers charger chargers cable cables protector strap straps adapter adaptor holder mount stand battery ' +
    'filter filters screen part parts spare replacement accessory accessories kit bracket sticker skin film band belt mat mats ' +
    'bulb lamp headlight bumper mirror brake pad pads toner cartridge ink lens glass ' +
    'كفر كفرات غطاء اغطيه شاحن شواحن كابل واقي حمايه حامل بطاريه فلتر شاشه قطع قطعه غيار سوار حزام بديل لاصق ملحقات حبر'
  ).split(' '),
)

interface Word {
  text: string
  /** Index of the space-separated part of the text that contains the word. */
  part: number
}

export interface Reading {
  vocabulary: Vocabulary
  stemmer: Stemmer
  brands: Brands
  /** Whether a word of a brand's name is evidence for the brand's goods; if so, it also counts as an ordinary word. */
  isOfGoods: (term: number, brand: FoundBrand) => boolean
}

/** `isOrdinary`: whether the name of a brand is read as an ordinary word. */
export function textTerms(text: string, reading: Reading, isOrdinary: (brand: FoundBrand) => boolean = isWord): TextTerms {
  const parts = text.split(/\s+/)
  const all: Word[] = parts.flatMap((part, i) => words(part).map(one => ({ text: one, part: i })))
  const folded = all.map(word => word.text)
  const purposeAt = folded.findIndex((word, i) => i > 0 && PURPOSE.has(word))
  const isAddition = folded.some(word => ADDITIONS.has(word))
  const isPurpose = ({ at }: FoundBrand) => isAddition || (purposeAt >= 0 && at > purposeAt)
  const named = reading.brands.find(folded).filter(one => !isOrdinary(one))
  const brands = named.filter(one => !isPurpose(one))
  const purposes = named.filter(isPurpose)
  const brandOf = (at: number) => brands.find(one => at >= one.at && at < one.modelEnd)
  const isBeside = folded.some((word, at) => NAMING.test(word) && brandOf(at) === undefined)
  const found: TextTerms = { terms: [], written: [], head: -1, words: [], named: 0, unknown: 0, brands, purposes }
  let isHeadOver = false
  for (const [at, { text: word, part }] of all.entries()) {
    const brand = brandOf(at)
    if (brand !== undefined) {
      // without other words, the name of a brand means all its goods
      const isWord = at < brand.end && (isBeside || brand.brand.kind === 'line')
      const own = isWord ? findTerm(word, reading) : -1
      if (own < 0 || !reading.isOfGoods(own, brand)) continue
    }
    const term = findTerm(word, reading)
    const purpose = purposes.find(one => at >= one.at && at < one.modelEnd)
    if (purpose !== undefined && reading.isOfGoods(term, purpose)) continue
    const isFirstOfPart = all[at - 1]?.part !== part
    if (isFirstOfPart && found.head >= 0 && OPENING_MARK.test(parts[part])) isHeadOver = true
    if (brand === undefined) found.words.push(word)
    if (LINKS.has(word)) isHeadOver ||= found.head >= 0
    else {
      if (brand === undefined && NAMING.test(word)) {
        found.named++
        if (term < 0) found.unknown++
      }
      if (term >= 0 && !isHeadOver && LETTERS.test(word)) {
        found.head = term
        isHeadOver = isArabic(word)
      }
    }
    if (term >= 0 && found.terms.length < TERMS_MAX) {
      found.terms.push(term)
      found.written.push(FROM_FIRST_TO_LAST.exec(parts[part])?.[0] ?? '')
    }
    if (found.head >= 0 && all[at + 1]?.part !== part && CLOSING_MARK.test(parts[part])) isHeadOver = true
  }
  return found
}

const isWord = ({ brand }: FoundBrand): boolean => brand.kind === 'word'

/** -1 if the word is unknown both with and without its Arabic particle. */
function findTerm(word: string, { vocabulary, stemmer }: Reading): number {
  const term = vocabulary.find(stemmer.stem(word))
  if (term >= 0) return term
  const under = stemmer.stemWithoutParticle(word)
  return under === '' ? -1 : vocabulary.find(under)
}
