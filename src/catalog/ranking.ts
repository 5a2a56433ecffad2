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
    'i we my our your me you it this that these those please want need would like have has had do does did can could will shall ' +
    'what which how much many when where who why import imports importing imported export exports exporting ship shipping shipment ' +
    'buy buying sell selling bring bringing send sending looking look find search searching get getting duty duties custom customs ' +
    'tariff tariffs tax taxes vat fee fees rate rates charge charges hs hts hscode code codes heading classification classify ' +
    'company business house home item items goods good product products new china japan india usa america uae dubai saudi turkey ' +
    'germany italy jordan egypt oman kuwait qatar bahrain pakistan ' +
    'اريد ابغي ابي نريد عندي كم هي هو هل كيف وين اين استيراد استورد نستورد تصدير شحن شراء بيع جمارك جمرك الجمارك رسوم الرسوم ' +
    'ضريبه ضرايب تعرفه التعرفه رمز كود بند النظام المنسق نظام منسق سعر تكلفه الصين اليابان الهند امريكا تركيا المانيا ايطاليا ' +
    'الامارات دبي السعوديه الاردن مصر عمان الكويت قطر البحرين باكستان'
  ).split(' '),
)

/** Folded. */
export const UNITS: ReadonlySet<string> = new Set(
  (
    'kg kgs kilo kilos g gm gms gram grams mg ton tons tonne tonnes lb lbs oz l lt ltr ltrs liter liters litre litres ml cl gallon ' +
    'gallons mm cm m mtr meter meters metre metres inch inches ft feet yard yards pcs pc pieces piece pack packs pkt packet packets box ' +
    'boxes carton cartons bag bags bottle bottles can cans jar jars set sets pair pairs dozen w kw v gb tb mb mah x count ' +
    'كيلو كجم كغم كغ كج جرام جم غرام طن لتر لترا مل متر سم مم قدم انش بوصه حبه حبات قطعه كرتون كيس اكياس عبوه عبوات علبه زجاجه وات فولت'
  ).split(' '),
)
