/** Which column has the codes and which the words: guessed, until the visitor chooses. */
import { type Child, h, replace } from '../dom/dom.js'
import { lang, t } from '../shared/language.js'
import { repairStrings } from './check-strings.js'
import { type Pasted, readPasted, wordsColumn } from './paste.js'

const s = repairStrings[lang]

const NONE = -1

export interface ChosenColumns {
  /** Null where the guess holds. */
  column: number | null
  words: number | null
}

export class Columns {
  readonly #codes = h('select', { id: 'column' })
  readonly #words = h('select', { id: 'words' })
  readonly #codesField = field('column', t.checkColumn, this.#codes)
  readonly #wordsField = field('words', s.wordsColumn, this.#words)
  readonly elements: Child = [this.#codesField, this.#wordsField]
  chosen: ChosenColumns = { column: null, words: null }

  constructor(changed: (isWords: boolean) => void) {
    this.#codes.addEventListener('change', () => {
      this.chosen = { ...this.chosen, column: Number(this.#codes.value) }
      changed(false)
    })
    this.#words.addEventListener('change', () => {
      this.chosen = { ...this.chosen, words: Number(this.#words.value) }
      changed(true)
    })
  }

  /** The column with the words, by choice or guess. */
  get words(): number {
    return Number(this.#words.value || NONE)
  }

  /** Null for a text without anything in it. */
  read(text: string): Pasted | null {
    const guessed = text.trim() === '' ? null : readPasted(text)
    const pasted = guessed && { ...guessed, column: this.chosen.column ?? guessed.column }
    const width = Math.max(0, ...(pasted?.rows.map(row => row.length) ?? []))
    const words = pasted === null ? NONE : (this.chosen.words ?? wordsColumn(pasted))
    this.#codesField.hidden = width < 2
    this.#wordsField.hidden = width < 2
    const options = (selected: number) =>
      Array.from({ length: width }, (_, at) =>
        h('option', { value: at, selected: at === selected }, pasted?.header?.[at]?.trim() || t.column(at + 1)),
      )
    replace(this.#codes, options(pasted?.column ?? 0))
    replace(this.#words, h('option', { value: NONE, selected: words === NONE }, s.noWords), options(words))
    return pasted
  }
}

const field = (id: string, label: string, select: HTMLElement) =>
  h('div', { class: 'field', hidden: true }, h('label', { for: id }, label), select)
