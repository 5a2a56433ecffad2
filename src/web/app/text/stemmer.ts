/** The stemmer of the search. The bundler inserts the word forms of the shipped dataset. */
import { Stemmer } from '../../../text/terms.js'
import type { WordData } from '../../../text/word-data.js'

/** A string with JSON, because the bundler would put an object into a file that every page loads. */
declare const WORD_FORMS: string

export const stemmer = new Stemmer(JSON.parse(WORD_FORMS) as Pick<WordData, 'spellings' | 'plurals' | 'whole'>)
