/** A code as people type it into the box: `8517.13`, `HS 8517 13`, `٨٥١٧`. */
import { codeIn } from '../../catalog/search/written-code.js'

/** While it is typed, its last mark may be a dot. */
const UNFINISHED = /[.-]$/

/** Its digits, or '' where the text is not a code. An Arabic keyboard has its own decimal point. */
export const codeOf = (text: string): string => codeIn(text.trim().replace(UNFINISHED, '').replaceAll('٫', '.')) ?? ''

/** Two digits may as well be the beginning of one. */
export const isWholeCode = (digits: string): boolean => digits.length >= 4 && digits.length <= 14 && digits.length % 2 === 0
