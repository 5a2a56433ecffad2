/**
 * Short descriptions for the forms of couriers and shops: an everyday name of the goods, or the beginning of the description.
 */

import { withoutExclusions } from '../text/exclusions.js'
import { firstClause, firstWords, lengthOf, wholePhrases, withoutLooseEnd } from '../text/shortened.js'
import type { Stemmer } from '../text/terms.js'
import type { Names } from './names.js'
import type { Records } from './records.js'
import type { Language } from './suggest.js'

/** Vague words, compared by stem. Customs refuses a description that has no other words. */
const VAGUE = {
  en:
    'other others part parts spare accessory accessories article articles product products good goods item items ware wares thing things ' +
    'material materials machine machines machinery equipment appliance appliances apparatus device devices instrument instruments ' +
    'tool tools gift gifts sample samples preparation preparations substance substances chemical chemicals mixture mixtures ' +
    'component components fabric fabrics woven textile textiles unit units set sets kit kits assorted miscellaneous various similar like new used whole general merchandise ' +
    'of for and or in with the a an not by kind kinds type types form forms elsewhere specified',
  ar:
    'أخرى آخر غيرها أجزاء جزء قطع قطعة غيار ملحقات لوازم أصناف صنف منتجات منتج سلع سلعة بضائع بضاعة مواد مادة آلات آلة ماكينات ' +
    'ماكينة معدات أجهزة جهاز أدوات أداة هدايا هدية عينات عينة محضرات مستحضرات كيماويات خليط مخاليط مكونات وحدات طقم أطقم متنوعة ' +
    'أقمشة قماش منسوجة منسوج نسيج منسوجات متفرقة مختلفة مماثلة جديدة جديد مستعملة مستعمل عامة من في على أو و مع لا غير نوع أنواع شكل أشكال أشياء',
} as const

/** Minimum length of a clause: a shorter one does not identify the goods. */
const CLAUSE_CHARS_MIN = 8
const LETTERS = /\p{L}{3}/u
/** A letter that is not a capital: an abbreviation alone does not name goods for everyone. Arabic has no capitals. */
const WRITTEN_OUT = /[\p{Ll}\p{Lo}]/u

export class ShortNames {
  readonly #vague: Readonly<Record<Language, ReadonlySet<string>>>

  constructor(
    private readonly records: Records,
    private readonly names: Names,
    private readonly stemmer: Stemmer,
  ) {
    const stems = (text: string) => new Set(stemmer.terms(text))
    this.#vague = { en: stems(VAGUE.en), ar: stems(VAGUE.ar) }
  }

  /** A short description of a record that is not a padded line; '' if no text that fits says what the goods are. */
  of(record: number, language: Language, charsMax: number): string {
    const description = this.records.description(record)[language]
    if (lengthOf(description) <= charsMax && this.#isClear(description, language)) return description
    const kept = beforeExclusion(description)
    const beginning = firstClause(kept, charsMax, CLAUSE_CHARS_MIN)
    if (this.#isClear(beginning, language) && isNamedBy(kept, beginning)) return beginning
    const fitting = this.names.of(record, language).filter(name => lengthOf(name) <= charsMax && this.#isClear(name, language))
    const described = new Set(this.stemmer.terms(description))
    let best = ''
    let bestPart = 0
    for (const name of fitting) {
      const terms = this.stemmer.terms(name)
      const part = terms.filter(term => described.has(term)).length / terms.length
      if (part > bestPart) [best, bestPart] = [name, part]
    }
    if (bestPart === 1) return best
    // the first clause is better than a name that may be for only some of the goods
    if (bestPart < NAMED_PART && this.#isClear(beginning, language) && isWholeClause(kept, beginning)) return beginning
    if (best !== '') return best
    if (fitting.length > 0) return fitting[0]
    const words = this.#isClear(beginning, language) ? beginning : firstWords(kept, charsMax)
    const phrases = wholePhrases(kept, words)
    const saysEnough = phrases === words || lengthOf(phrases) >= CLAUSE_CHARS_MIN
    return saysEnough && this.#isClear(phrases, language) ? phrases : ''
  }

  #isClear(text: string, language: Language): boolean {
    if (!LETTERS.test(text) || !WRITTEN_OUT.test(text)) return false
    const vague = this.#vague[language]
    return this.stemmer.terms(text).some(term => !vague.has(term) && LETTERS.test(term))
  }
}

/** Minimum share of a name's words that must be in the description. Otherwise the name may be for only one of many goods. */
const NAMED_PART = 0.5
/** Matches the rest of a description if it only describes the goods further; any other rest may continue a list of goods. */
const DESCRIBES =
  /^[\s,;:،؛]*(?:$|\(|(?:with|without|not|no|such|including|included|whether|of|for|in|up|over|under|as|being|that|which|fresh|frozen|chilled|dried)(?![\p{L}])|(?:مع|بدون|بلا|دون|غير|سواء|مثل|بما|ذات|ذو|من|لل?|في|وإن|وزنه|طازج|مجمد|مبرد|مجفف))/u
const CLAUSE_END = /^\s*[,;:،؛(]/u

/** The text before its first exclusion; the words after an exclusion would not make sense without it. */
function beforeExclusion(text: string): string {
  const without = withoutExclusions(text)
  let end = 0
  while (end < without.length && without[end] === text[end]) end++
  return end === text.length ? text : withoutLooseEnd(text.slice(0, end))
}

const isNamedBy = (text: string, beginning: string) =>
  CLAUSE_END.test(`${text.slice(beginning.length)},`) && DESCRIBES.test(text.slice(beginning.length))
const isWholeClause = (text: string, beginning: string) =>
  beginning !== '' && (text.length === beginning.length || CLAUSE_END.test(text.slice(beginning.length)))
