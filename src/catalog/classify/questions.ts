/**
 * Writes the question that decides between codes: about an attribute, or else with the words that differ between their
 * descriptions.
 */
import { HEADING_DIGITS } from '../../codes/levels.js'
import type { Bilingual } from '../../snapshot/country-format.js'
import type { Columns } from '../../snapshot/schema.js'
import { recordsAbove } from '../above.js'
import type { Names } from '../names.js'
import type { Records } from '../records.js'
import type { Language } from '../suggest.js'
import type { AttributeMeta, Attributes, Group } from './attributes.js'
import type { Question } from './classified.js'
import { areDistinct, differenceOf, LEAD_CHARS_MAX, withoutFinalExclusion } from './difference.js'
import { isSame } from './statements.js'

const RECORDS_MAX = 6
/** Maximum length of an answer in the words of a description; if it is longer, names of goods are used. */
const PLAIN_CHARS_MAX = 60
/** Maximum number of names of goods in an answer, and their maximum length together. */
const GOODS_MAX = 3
const GOODS_CHARS_MAX = 64
/** Maximum number of values in an answer. */
const NAMES_MAX = 4
const PLACEHOLDER = '{}'
const COMMA = /[,،(]/
const YES: Bilingual = { en: 'Yes', ar: 'نعم' }
const NO: Bilingual = { en: 'No', ar: 'لا' }
const WHICH: Bilingual = { en: 'Which of these is it?', ar: 'أي مما يلي ينطبق؟' }
const WHICH_OF: Bilingual = { en: '{}: which of these is it?', ar: '{}: أي مما يلي ينطبق؟' }

type QuestionColumns = Pick<Columns, 'attributeAt' | 'attributeValue' | 'source' | 'parent' | 'level'>

export class Questions {
  readonly #attributes: Attributes

  constructor(
    private readonly columns: QuestionColumns,
    private readonly meta: AttributeMeta,
    private readonly records: Records,
    attributes: Attributes,
    private readonly names: Names,
  ) {
    this.#attributes = attributes
  }

  /**
   * The question that decides between the records, which are given best first; undefined if one includes all others. It does
   * not ask about attributes that the text states. Each record is at or below a code of exactly one answer; with `isOwn`,
   * answers name the records themselves, not codes above them.
   */
  between(records: readonly number[], text: string, isOwn = false): Question | undefined {
    const apart = this.#withoutNested(records)
    if (apart.length < 2) return undefined
    return this.#byAttribute(apart, text) ?? this.#byDescription(apart, isOwn)
  }

  #withoutNested(records: readonly number[]): number[] {
    const distinct = [...new Set(records)].slice(0, RECORDS_MAX)
    const above = distinct.map(record => new Set(this.#above(record)))
    return distinct.filter((_, i) => !distinct.some(other => above[i].has(other)))
  }

  #above(record: number): number[] {
    return recordsAbove(this.columns.parent, record)
  }

  /**
   * The question about an attribute that every text states: "wired headphones", "wireless ones" → "Is it wired or wireless?"
   */
  statedByAll(texts: readonly string[]): Bilingual | undefined {
    const [first = new Set<number>(), ...others] = texts.map(text => this.#attributes.statedIn(text))
    const shared = [...first].filter(attribute => others.every(other => other.has(attribute)))
    return this.meta.attributes[Math.min(...shared)]?.question
  }

  #byAttribute(records: readonly number[], text: string): Question | undefined {
    let inText: ReadonlySet<number> | undefined
    let best: Question | undefined
    // attributes that decide more often come first
    for (const [attribute, statements] of this.#attributes.statements(records)) {
      const groups = this.#attributes.groups(attribute, records, statements)
      if (groups.length <= (best?.answers.length ?? 1)) continue
      // the question must distinguish the two best records
      if (groups[0].members.includes(1)) continue
      inText ??= this.#attributes.statedIn(text)
      if (!inText.has(attribute)) best = this.#ask(attribute, groups, records) ?? best
    }
    return best
  }

  /** The question about an attribute; undefined if the values of the groups give no distinct answers. */
  #ask(attribute: number, groups: readonly Group[], records: readonly number[]): Question | undefined {
    const { question, yesNo, answer, other } = this.meta.attributes[attribute]
    const rest = groups.find(({ values }) => values.length === 0) ?? only(groups.filter(({ isRest }) => isRest))
    const named = groups.filter(group => group !== rest)
    if (named.some(({ values }) => values.length > NAMES_MAX)) return undefined
    if (rest === undefined && this.#overlap(named)) return undefined
    const textOf = (group: Group, template: Bilingual) => fill(template, this.#names(group.values))
    const within = (group: Group) => this.#within(attribute, group, records)
    if (named.length === 1 && rest !== undefined)
      return {
        text: textOf(named[0], yesNo),
        answers: [
          { text: YES, within: within(named[0]) },
          { text: NO, within: within(rest) },
        ],
      }
    const answers = groups.map(group => ({ text: group === rest ? other : textOf(group, answer), within: within(group) }))
    const texts = answers.map(one => one.text)
    return areDistinct(texts.map(({ en }) => en)) && areDistinct(texts.map(({ ar }) => ar))
      ? { text: question, answers }
      : undefined
  }

  #overlap(groups: readonly Group[]): boolean {
    const { values } = this.#attributes
    return groups.some((a, i) => groups.slice(0, i).some(b => values.haveCommon(a.values, b.values)))
  }

  #names(values: readonly number[]): Bilingual {
    const names = values.map(value => this.meta.attributeValues[value].name)
    return { en: englishList(names.map(({ en }) => en)), ar: names.map(({ ar }) => ar).join(' أو ') }
  }

  /** The shortest codes that make the same statement as the group's records and include no record of another answer. */
  #within(attribute: number, { members }: Group, records: readonly number[]): string[] {
    const others = records.filter((_, i) => !members.includes(i))
    const codes = members.map(i => {
      const own = this.#attributes.statement(records[i], attribute)
      const shortest = this.#shortest(records[i], others, above => isSame(this.#attributes.statement(above, attribute), own))
      return this.records.code(shortest)
    })
    return codes.filter((code, i) => !codes.some((other, j) => code.startsWith(other) && (code !== other || j < i)))
  }

  /** The record, or the highest one above it that includes none of the others. */
  #shortest(record: number, others: readonly number[], mayTake: (above: number) => boolean): number {
    let shortest = record
    for (const above of this.#above(record)) {
      if (this.columns.level[above] < HEADING_DIGITS || !mayTake(above)) break
      if (others.some(other => this.#above(other).includes(above))) break
      shortest = above
    }
    return shortest
  }

  #byDescription(records: readonly number[], isOwn: boolean): Question {
    const shown = records.map(record =>
      this.#shortest(
        record,
        records.filter(other => other !== record),
        () => !isOwn,
      ),
    )
    const codes = shown.map(record => this.records.code(record))
    const descriptions = shown.map(record => this.records.description(record))
    const above = this.#descriptionAbove(shown)
    const inLanguage = (language: 'en' | 'ar') => {
      const { lead, rests } = differenceOf(
        descriptions.map(one => one[language]),
        above[language],
      )
      const name = lead === '' ? withoutFinalExclusion(above[language]) : lead
      return {
        which:
          name === '' || name.length > LEAD_CHARS_MAX ? WHICH[language] : WHICH_OF[language].replace(PLACEHOLDER, () => name),
        texts: areDistinct(rests) ? rests : rests.map((rest, i) => `${rest} (${codes[i]})`.trim()),
      }
    }
    const [en, ar] = [inLanguage('en'), inLanguage('ar')]
    const isPlain = [...en.texts, ...ar.texts].every(text => text.length <= PLAIN_CHARS_MAX)
    const goods = isOwn || isPlain ? undefined : this.#byGoods(shown, codes)
    if (goods !== undefined) return goods
    return {
      text: { en: en.which, ar: ar.which },
      answers: codes.map((code, i) => ({ text: { en: en.texts[i], ar: ar.texts[i] }, within: [code] })),
    }
  }

  /** The question with names of goods as answers; undefined if a code has no name of its own. */
  #byGoods(records: readonly number[], codes: readonly string[]): Question | undefined {
    const inLanguage = (language: Language) => records.map(record => this.#goodsOf(record, language))
    const [en, ar] = [inLanguage('en'), inLanguage('ar')]
    if (!areDistinct(en) || !areDistinct(ar)) return undefined
    return { text: WHICH, answers: codes.map((code, i) => ({ text: { en: en[i], ar: ar[i] }, within: [code] })) }
  }

  /** The best known names of the goods of a code: "Surveying instruments, oceanographic instruments"; '' if it has none. */
  #goodsOf(record: number, language: Language): string {
    const separator = language === 'ar' ? '، ' : ', '
    const names = this.names.of(record, language).filter(name => !COMMA.test(name))
    let text = ''
    for (const name of names.slice(0, GOODS_MAX)) {
      const longer = text === '' ? name : `${text}${separator}${name}`
      if (longer.length <= GOODS_CHARS_MAX) text = longer
    }
    return text.charAt(0).toUpperCase() + text.slice(1)
  }

  /** Description of the nearest code above all records; a chapter is too broad to help. */
  #descriptionAbove(records: readonly number[]): Bilingual {
    const [first, ...others] = records.map(record => this.#above(record))
    const above = first.find(one => others.every(other => other.includes(one)))
    if (above === undefined || this.columns.level[above] < HEADING_DIGITS) return { en: '', ar: '' }
    return this.records.description(above)
  }
}

function only<One>(all: readonly One[]): One | undefined {
  return all.length === 1 ? all[0] : undefined
}

function fill(template: Bilingual, names: Bilingual): Bilingual {
  const en = template.en.replace(PLACEHOLDER, () => names.en)
  return { en: en.charAt(0).toUpperCase() + en.slice(1), ar: template.ar.replace(PLACEHOLDER, () => names.ar) }
}

function englishList(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`
}
