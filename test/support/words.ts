/** The word forms and query words of the shipped dataset, for tests without a snapshot. */
import { readFileSync } from 'node:fs'
import type { Defect } from '../../build/dataset/defect.js'
import { parseQueryWords, parseWordForms, QUERY_WORDS_FILE, WORD_FORMS_FILE } from '../../build/dataset/word-forms.js'
import { Stemmer } from '../../src/text/terms.js'
import type { WordData } from '../../src/text/word-data.js'

const defects: Defect[] = []
const textOf = (file: string) => readFileSync(new URL(`../../dataset/${file}`, import.meta.url), 'utf8')

export const WORDS: WordData = {
  ...parseWordForms(textOf(WORD_FORMS_FILE), defects),
  ...parseQueryWords(textOf(QUERY_WORDS_FILE), defects),
}
if (defects.length > 0) throw new Error(JSON.stringify(defects))

export const STEMMER = new Stemmer(WORDS)
