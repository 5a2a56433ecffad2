/** Fragments of warnings that several examples expect. */

/** No own rate of the country was found. */
export const COMMON_RATE = 'The common rate is used here'
/** Excise by value depends on a retail price; customs value and duty are used instead. */
export const EXCISE_PRICE = 'follows the retail price'
export const MAYBE_NO_VAT = 'VAT may be 0 percent'
export const ALWAYS_LEFT_OUT = ['Anti-dumping', 'Exemptions']
