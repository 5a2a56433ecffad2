import { arabicStem, arabicStemUnderParticle } from './arabic.js'
import { englishStem } from './english.js'
import { isArabic, words } from './fold.js'

/** The index form of one folded word. Numbers stay as they are, with a decimal point. */
export function stem(word: string): string {
  const c = word.charCodeAt(0)
  if (c >= 48 && c <= 57) return word.replace(',', '.')
  return isArabic(word) ? arabicStem(word) : englishStem(word)
}

/** The other reading of an Arabic word that may carry a particle, or ''. */
export function stemUnderParticle(word: string): string {
  return isArabic(word) ? arabicStemUnderParticle(word) : ''
}

/** A text as the index sees it: one stem per word, in order. Build and queries both call this. */
export function terms(text: string): string[] {
  return words(text).map(stem)
}
