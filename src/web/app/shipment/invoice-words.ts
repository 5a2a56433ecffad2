/** The sentences of the invoice page in its language. */
import { lang } from '../shared/language.js'
import { invoiceStrings } from './invoice-strings.js'

export const words = invoiceStrings[lang]
