/** Removes parts of a pasted title that do not name goods: markup, web addresses, prices and article numbers. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/giu
// regexp-ignore: linear, the class excludes the start of another tag
const TAG = /<\/?[a-z][^<>]*>/giu
const ADDRESS = /(?:https?:\/\/|www\.)\S+/giu
const CURRENCY =
  '(?:AED|SAR|QAR|KWD|BHD|OMR|USD|EUR|GBP|CNY|RMB|Dhs?|SR|QR|KD|BD|درهم(?:ا)?|ريال(?:ا)?|دينار(?:ا)?|دولار(?:ا)?|ر\\.س|د\\.إ|[$€£¥﷼])'
const AMOUNT = '\\d[\\d,]*(?:\\.\\d{1,3})?'
// regexp-ignore: linear, an amount is digits and commas, and a currency is a plain word
const PRICE = new RegExp(
  `(?<![\\p{L}\\p{N}])${CURRENCY}\\.?\\s?${AMOUNT}(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}.])${AMOUNT}\\s?${CURRENCY}(?![\\p{L}\\p{N}])`,
  'giu',
)
const LABELLED_NUMBER =
  // regexp-ignore: linear, a label is plain words and at most three marks, and a number is one run of characters
  /(?<![\p{L}\p{N}])(?:SKU|ASIN|EAN|UPC|GTIN|MPN|Art\.? ?N[or]|Item ?(?:No|#)|Ref|P\/N)[.:# ]{0,3}([\p{L}\p{N}_/-]+)/giu
const DIGIT = /\p{N}/u
/** Article numbers such as "S37209-001" and "402502S610". Unlike CAS numbers, they contain letters. */
// regexp-ignore: linear, one run of letters and digits, tested at its start
const ARTICLE_NUMBER =
  /(?<![\p{L}\p{N}_-])(?=[\d_-]*[A-Za-z])(?=[A-Za-z_-]*\d)(?=(?:[A-Za-z_-]*\d){4})[A-Za-z\d_-]{6,}(?![\p{L}\p{N}])/gu
/** "20000mAh" has the form of an article number, but is a quantity. */
const NUMBER_WITH_UNIT = /^\d+[a-z]{1,4}$/iu

export function cleanTitle(text: string): string {
  return text
    .replace(TAG, ' ')
    .replace(ENTITY, entity => ENTITIES[entity.slice(1, -1).toLowerCase()] ?? ' ')
    .replace(ADDRESS, ' ')
    .replace(PRICE, ' ')
    .replace(LABELLED_NUMBER, (run, number: string) => (DIGIT.test(number) ? ' ' : run))
    .replace(ARTICLE_NUMBER, run => (NUMBER_WITH_UNIT.test(run) ? run : ' '))
    .trim()
}
