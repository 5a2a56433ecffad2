/** How much a word's place in a record counts. The build files each word under a slot, the search weighs it. */

/** Smaller is better: FlexSearch keeps one list of records per term and slot. */
export const SLOTS = 8
/** Added to a term of a phrase where it names the good. */
export const HEAD_FLAG = 2 ** 31
export const TERM_MASK = HEAD_FLAG - 1
/** Which phrases of a record have a term is told in so many bits; of more phrases several share one. */
export const PHRASE_BITS = 32
/** Longer phrases count as ones of so many terms. */
export const PHRASE_TERMS_MAX = 127
/** What is left of a phrase's likeness where none of the words names its good. */
export const BESIDE_SHARE = 0.5
/** Terms from here on are written in Arabic letters, those before it in Latin ones and digits. */
export const ARABIC_FROM = '\u0600'

/** How a term stands in a phrase: how long that is, and whether the term names its good. */
export function aloneOf(length: number, isHead: boolean): number {
  return 2 * Math.min(length, PHRASE_TERMS_MAX) + (isHead ? 1 : 0)
}

/**
 * A dossier of a record: what its phrases say that have Latin letters, or what those do that have Arabic ones, in one piece of
 * memory, since waiting for memory is most of what reading them costs. First these numbers, then the distinct terms of the
 * phrases, ascending; for each of them the phrases that have it, a bit for every phrase by its number; where each phrase begins,
 * and the end of the last, counted from the dossier's beginning; and the phrases' terms, the shortest phrase first, with a flag
 * for the term that names the good.
 */
export const DOSSIER = {
  /** How many distinct terms … */
  terms: 0,
  /** … and how many phrases there are. */
  phrases: 1,
  /** Where the terms begin. */
  first: 2,
} as const
/** Dossiers may be read so far beyond their beginning, whatever their length. */
export const DOSSIER_AHEAD = 80

/** A term of a record's phrases together with how it stands in the most telling of them: the term in the lower bits. */
export const SAID_TERM_BITS = 24
export const SAID_TERM_MASK = 2 ** SAID_TERM_BITS - 1

/** What that is worth, squared, if no other word of the phrase is asked for. */
export function aloneWorth(alone: number): number {
  return ((alone & 1) === 1 ? 1 : BESIDE_SHARE ** 2) / (alone >> 1)
}

/** Phrases of so many words, those left out that only link others, are known by a hash of their terms, whatever the order. */
export const EXACT_WORDS_MIN = 2
export const EXACT_WORDS_MAX = 6
const MIX_A = 0x9e3779b1 | 0
const MIX_B = 0x85ebca6b | 0

export function exactHash(places: readonly number[]): number {
  let sum = places.length
  let mixed = 0
  for (let i = 0; i < places.length; i++) {
    const one = Math.imul((places[i] as number) + 1, MIX_A)
    sum = (sum + Math.imul(one ^ (one >>> 15), MIX_B)) | 0
    mixed ^= one ^ (one >>> 13)
  }
  return Math.imul(sum ^ (sum >>> 16), MIX_A) ^ mixed
}

const SYNONYM_SLOT = 6
const CONTEXT_SLOT = 7
/** The slots of a record's own words; the last one is context. */
export const OWN_SLOTS = CONTEXT_SLOT

/** A word says most where it stands alone, less among many; descriptions say more than keywords. */
export function slotOfPhrase(wordCount: number, isKeyword: boolean): number {
  if (wordCount <= 1) return isKeyword ? 1 : 0
  if (wordCount <= 3) return isKeyword ? 3 : 2
  return isKeyword || wordCount > 10 ? 5 : 4
}

export function slotOfSynonym(): number {
  return SYNONYM_SLOT
}

export function slotOfContext(): number {
  return CONTEXT_SLOT
}

export const SLOT_WEIGHT = Float64Array.of(2.0, 1.8, 1.35, 1.2, 1.05, 0.9, 0.6, 0.2)

/** How far an alternative for a word counts: the word itself, its unfinished form, a mistyped one. */
export const WHOLE_WORD = 1
export const PREFIX_WORD = 0.6
export const TYPO_WORD = 0.45
/** A longer word that begins with the whole one that was typed. */
export const LONGER_WORD = 0.5
/** How much there is of a good. */
export const QUANTITY = 0.15

/** A word that may be left out without loss: it links others and names nothing. */
export const LINKING_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of for and or in on to with without by from as at into than other others not no any all its their be is are ' +
    'use using made type kind incl including etc ' +
    'من في على الي او مع عن غير غيرها اخري اخر عدا هذا ذات ذو التي الذي و'
  ).split(' '),
)

/** What people say around the good that they ask about: left out wherever something else is left. */
export const ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    'i we my our your me you it this that these those please want need would like have has had do does did could will shall ' +
    'what which how much many when where who why import imports importing imported export exports exporting ' +
    'buy buying sell selling bring bringing send sending find searching get getting duty duties customs new ' +
    'tariff tariffs tax taxes fee fees hs hts hscode classification classify ' +
    'اريد ابغي ابي نريد عندي كم هي هو هل كيف وين اين استيراد استورد نستورد تصدير شحن شراء بيع جمارك جمرك الجمارك رسوم الرسوم ' +
    'ضريبه ضرايب تعرفه التعرفه رمز كود بند المنسق منسق سعر تكلفه'
  ).split(' '),
)

/**
 * Words of the same kind that name, or tell more of a good as well: "china plates", "frozen turkey", "business cards". They are
 * left out only among the others, or behind a word that says where something comes from or goes to.
 */
export const HALF_ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    'ship shipping shipment looking look search can custom vat rate rates charge charges code codes heading ' +
    'company business house home item items goods good product products china japan india usa america uae dubai saudi turkey ' +
    'germany italy jordan egypt oman kuwait qatar bahrain pakistan ' +
    'النظام نظام الصين اليابان الهند امريكا تركيا المانيا ايطاليا الامارات دبي السعوديه الاردن مصر عمان الكويت قطر البحرين باكستان'
  ).split(' '),
)
export const FROM_WORDS: ReadonlySet<string> = new Set('from in to into at من في الي'.split(' '))
/** What such a word counts beside the others. */
export const HALF_ASKING = 0.3

/** Folded. */
export const UNITS: ReadonlySet<string> = new Set(
  (
    'kg kgs kilo kilos g gm gms gram grams mg ton tons tonne tonnes lb lbs oz l lt ltr ltrs liter liters litre litres ml cl gallon ' +
    'gallons mm cm m mtr meter meters metre metres inch inches ft feet yard yards pcs pc pieces piece pack packs pkt packet packets box ' +
    'boxes carton cartons bag bags bottle bottles can cans jar jars set sets pair pairs dozen w kw v gb tb mb mah x count ' +
    'كيلو كجم كغم كغ كج جرام جم غرام طن لتر لترا مل متر سم مم قدم انش بوصه حبه حبات قطعه كرتون كيس اكياس عبوه عبوات علبه زجاجه وات فولت'
  ).split(' '),
)
