/** Fragments of warnings that several examples expect. */

/** The country's own rate was not found. */
export const COMMON_RATE = 'The common rate is used here'
/** Excise by value goes by a price; customs value and duty are used instead. */
export const EXCISE_PRICE = 'follows the retail price'
export const MAYBE_NO_VAT = 'VAT may be 0 percent'
export const ALWAYS_LEFT_OUT = ['Anti-dumping', 'Exemptions']
