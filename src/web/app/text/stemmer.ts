/** Words as the search reads them; the bundler puts the shipped dataset's word forms in. */
import { Stemmer } from '../../../text/terms.js'
import type { WordData } from '../../../text/word-data.js'

/** JSON, as text: the bundler would load a value with every page, used or not. */
declare const WORD_FORMS: string

export const stemmer = new Stemmer(JSON.parse(WORD_FORMS) as Pick<WordData, 'spellings' | 'plurals' | 'whole'>)
