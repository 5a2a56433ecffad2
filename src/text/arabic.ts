/**
 * Light Arabic stemming over folded words (see fold.ts: no hamza, ة is ه, ى is ي). A root-based stemmer was
 * rejected: it joins words that traders keep apart (مكتب, مكتبة, كتاب).
 */
import { BROKEN_PLURALS } from './arabic-plurals.js'

/** What must remain of a word after an ending or an article is taken off. */
const STEM_MIN = 3

const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'لل', 'ال']
/**
 * Feminine dual, feminine plural, attached pronoun, taa marbuta. The masculine endings ون ين ان and the ي of relation
 * are left on: in goods they mostly belong to the word (زيتون، بنزين، رمان، زبادي).
 */
const ENDINGS = ['تان', 'تين', 'ات', 'ها', 'ه']
/**
 * Words that would fall together with another good without their ending: عدسة is a lens and عدس are lentils, شاحنة a lorry
 * and شاحن a charger, طابعة a printer and طابع a stamp. Folded, as all words here.
 */
const KEPT_WHOLE: ReadonlySet<string> = new Set(
  'دبابه عدسه بطه بنيه كليه رقاقه شاحنه طايره طابعه كتابه سيجاره مركبه مسبحه زهره طحينه تنوره سطحه حلبه مبخره كرافته دونات شاشه خزانه كبريتات كلورات'.split(
    ' ',
  ),
)
/** What must remain before a dual ending: shorter words end in it by nature (بلاتين، جلوتين). */
const DUAL_STEM_MIN = 4
/** Particles of one letter that stick to a word; whether they do can be told only from the words that exist. */
const PARTICLES = 'وبلفك'

function withoutArticle(word: string): string {
  for (const article of ARTICLES) {
    if (word.startsWith(article) && word.length - article.length >= STEM_MIN)
      return word.slice(article.length)
  }
  return word
}

function withoutEnding(word: string): string {
  if (KEPT_WHOLE.has(word)) return word
  for (const ending of ENDINGS) {
    const least = ending.length === 3 ? DUAL_STEM_MIN : STEM_MIN
    if (word.endsWith(ending) && word.length - ending.length >= least) return word.slice(0, -ending.length)
  }
  return word
}

/** A plural may carry an ending of its own (عطورات), so the table is asked before and after. */
function plain(word: string): string {
  const bare = withoutEnding(BROKEN_PLURALS.get(word) ?? word)
  const singular = BROKEN_PLURALS.get(bare)
  return singular === undefined ? bare : withoutEnding(singular)
}

export function arabicStem(word: string): string {
  const known = BROKEN_PLURALS.get(word)
  if (known !== undefined) return withoutEnding(known)
  return plain(withoutArticle(word))
}

/** The stem under a one-letter particle (وفواكه → فواكه), or '' where there can be none. */
export function arabicStemUnderParticle(word: string): string {
  if (word.length <= STEM_MIN || !PARTICLES.includes(word[0] as string)) return ''
  return arabicStem(word.slice(1))
}

const PLURALS_OF = new Map<string, string[]>()
for (const [plural, one] of BROKEN_PLURALS) PLURALS_OF.set(one, [...(PLURALS_OF.get(one) ?? []), plural])

/** The singular of a broken plural and the broken plurals of a singular: forms that no ending relates. */
export function otherForms(word: string): readonly string[] {
  const one = BROKEN_PLURALS.get(word)
  const plurals = PLURALS_OF.get(word) ?? []
  return one === undefined || one === word ? plurals : [one, ...plurals]
}
