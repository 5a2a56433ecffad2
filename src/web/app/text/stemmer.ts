/** Words as the search reads them; the bundler puts the shipped dataset's word forms in. */
import { Stemmer } from '../../../text/terms.js'
import type { WordData } from '../../../text/word-data.js'

declare const WORD_FORMS: Pick<WordData, 'spellings' | 'plurals' | 'whole'>

export const stemmer = new Stemmer(WORD_FORMS)
