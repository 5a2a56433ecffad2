/** Words of a query that are more, or less, than the name of a good; all folded. */

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
export const UNITS: ReadonlySet<string> = new Set(
  (
    'kg kgs kilo kilos g gm gms gram grams mg ton tons tonne tonnes lb lbs oz l lt ltr ltrs liter liters litre litres ml cl gallon ' +
    'gallons mm cm m mtr meter meters metre metres inch inches ft feet yard yards pcs pc pieces piece pack packs pkt packet packets box ' +
    'boxes carton cartons bag bags bottle bottles can cans jar jars set sets pair pairs dozen w kw v gb tb mb mah x count ' +
    'كيلو كجم كغم كغ كج جرام جم غرام طن لتر لترا مل متر سم مم قدم انش بوصه حبه حبات قطعه كرتون كيس اكياس عبوه عبوات علبه زجاجه وات فولت'
  ).split(' '),
)
