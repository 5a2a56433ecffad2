/** Parts of warnings that several examples expect. */

/** The dataset has no rate of this country for the goods. */
export const COMMON_RATE = 'The common rate is used here'
/** The excise is a percentage of the retail price, which is not known. The estimate uses customs value and duty instead. */
export const EXCISE_PRICE = 'follows the retail price'
export const MAYBE_NO_VAT = 'VAT may be 0 percent'
export const ALWAYS_LEFT_OUT = ['Anti-dumping', 'Exemptions']
