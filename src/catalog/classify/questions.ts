/** The question that decides between codes: an attribute in which they differ, or else the words in which their descriptions do. */
import { HEADING_DIGITS, headingOf } from '../../codes/levels.js'
import type { Bilingual } from '../../snapshot/country-format.js'
import type { SnapshotMeta } from '../../snapshot/format.js'
import type { Columns } from '../../snapshot/schema.js'
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import type { Records } from '../records.js'
import type { Question } from './classified.js'
import { areDistinct, differenceOf, LEAD_CHARS_MAX, withoutFinalExclusion } from './difference.js'

const RECORDS_MAX = 6
/** More values than these make no answer. */
const NAMES_MAX = 4
const PLACEHOLDER = '{}'
const YES: Bilingual = { en: 'Yes', ar: 'نعم' }
const NO: Bilingual = { en: 'No', ar: 'لا' }
const WHICH: Bilingual = { en: 'Which of these is it?', ar: 'أي مما يلي ينطبق؟' }
const WHICH_OF: Bilingual = { en: '{}: which of these is it?', ar: '{}: أي مما يلي ينطبق؟' }

/** What a record states of one attribute. */
interface Stated {
  has: readonly number[]
  excludes: readonly number[]
  /** Whether it has other values as well. */
  isOpen: boolean
}
const NOTHING: Stated = { has: [], excludes: [], isOpen: false }

/** Codes that one answer leads to, as places among the codes in question. */
interface Group {
  members: number[]
  /** Values that all have; empty where a member states none. */
  names: readonly number[]
  /** Whether it is open, or excludes what another group has. */
  isRest: boolean
}

type QuestionColumns = Pick<Columns, 'attributeAt' | 'attributeValue' | 'source' | 'parent' | 'level'>
type QuestionMeta = Pick<SnapshotMeta, 'attributes' | 'attributeValues'>

export class Questions {
  /** Phrases that state a value by their first term; made on first use. */
  #phrases: Map<string, { terms: string[]; attribute: number }[]> | undefined

  constructor(
    private readonly columns: QuestionColumns,
    private readonly meta: QuestionMeta,
    private readonly records: Records,
    private readonly stemmer: Stemmer,
  ) {}

  /**
   * What decides between the records, best first, or undefined where one includes all others. What the text states already is not
   * asked. Each record is at or below a code of exactly one answer; with `isOwn`, answers name the records themselves, not codes above.
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
    const above: number[] = []
    for (let at = this.columns.parent[record]; at >= 0; at = this.columns.parent[at]) above.push(at)
    return above
  }

  /** The question of an attribute that every text states: "wired headphones", "wireless ones" → "Is it wired or wireless?" */
  statedByAll(texts: readonly string[]): Bilingual | undefined {
    const [first = new Set<number>(), ...others] = texts.map(text => this.#statedIn(text))
    const shared = [...first].filter(attribute => others.every(other => other.has(attribute)))
    return this.meta.attributes[Math.min(...shared)]?.question
  }

  /** Attributes that a text speaks of. */
  #statedIn(text: string): Set<number> {
    this.#phrases ??= this.#readPhrases()
    const stated = new Set<number>()
    const written = words(text)
    const terms = written.map(word => this.stemmer.stem(word))
    terms.forEach((term, at) => {
      const particle = this.stemmer.stemUnderParticle(written[at])
      for (const first of particle === '' ? [term] : [term, particle])
        for (const phrase of this.#phrases?.get(first) ?? [])
          if (phrase.terms.every((one, i) => i === 0 || terms[at + i] === one)) stated.add(phrase.attribute)
    })
    return stated
  }

  #readPhrases() {
    const phrases = new Map<string, { terms: string[]; attribute: number }[]>()
    for (const value of this.meta.attributeValues)
      for (const phrase of value.phrases) {
        const terms = phrase.split(' ')
        const same = phrases.get(terms[0])
        const one = { terms, attribute: value.attribute }
        if (same === undefined) phrases.set(terms[0], [one])
        else same.push(one)
      }
    return phrases
  }

  #byAttribute(records: readonly number[], text: string): Question | undefined {
    const attributes = new Map<number, Stated[]>()
    records.forEach((record, place) => {
      for (const [attribute, own] of this.#statementsOf(record)) {
        const all = attributes.get(attribute) ?? records.map(() => NOTHING)
        all[place] = own
        attributes.set(attribute, all)
      }
    })
    const codes = records.map(record => this.records.code(record))
    let inText: ReadonlySet<number> | undefined
    let best: Question | undefined
    // attributes in the order of the dataset, the most telling first
    for (const attribute of [...attributes.keys()].sort((a, b) => a - b)) {
      const groups = this.#groups(attribute, records, codes, attributes.get(attribute) as Stated[])
      if (groups.length <= (best?.answers.length ?? 1)) continue
      // the two best are what the question is about
      if (groups[0].members.includes(1)) continue
      inText ??= this.#statedIn(text)
      if (!inText.has(attribute)) best = this.#ask(attribute, groups, records, attributes.get(attribute) as Stated[]) ?? best
    }
    return best
  }

  /** By attribute. */
  #statementsOf(record: number): Map<number, Stated> {
    const { attributeAt, attributeValue, source } = this.columns
    const own = source[record]
    const statements = new Map<number, { has: number[]; excludes: number[]; isOpen: boolean }>()
    for (let at = attributeAt[own]; at < attributeAt[own + 1]; at++) {
      const value = attributeValue[at] >> 1
      const { attribute, isOther } = this.meta.attributeValues[value]
      const all = statements.get(attribute) ?? { has: [], excludes: [], isOpen: false }
      statements.set(attribute, all)
      if (isOther) all.isOpen = true
      else if ((attributeValue[at] & 1) === 1) all.excludes.push(value)
      else all.has.push(value)
    }
    return statements
  }

  /** Undefined where the groups' names do not tell them apart. */
  #ask(attribute: number, groups: readonly Group[], records: readonly number[], stated: readonly Stated[]): Question | undefined {
    const { question, yesNo, answer, other } = this.meta.attributes[attribute]
    const rests = groups.filter(({ names }) => names.length === 0)
    const rest = rests[0] ?? only(groups.filter(({ isRest }) => isRest))
    const named = groups.filter(group => group !== rest)
    if (named.some(({ names }) => names.length > NAMES_MAX)) return undefined
    if (rest === undefined && this.#overlap(named)) return undefined
    const textOf = (group: Group, template: Bilingual) => fill(template, this.#names(group.names))
    const within = (group: Group) => this.#within(attribute, group, records, stated)
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

  /** Records that the attribute does not tell apart are in one group; the group of the first record comes first. */
  #groups(attribute: number, records: readonly number[], codes: readonly string[], stated: readonly Stated[]): Group[] {
    const groupOf = records.map((_, i) => i)
    for (let i = 1; i < records.length; i++)
      for (let j = 0; j < i; j++) {
        if (groupOf[i] === groupOf[j]) continue
        if (this.#decides(attribute, codes[i], codes[j]) && this.#areApart(attribute, records, stated, i, j)) continue
        const [from, to] = [groupOf[i], groupOf[j]]
        for (let n = 0; n <= i; n++) if (groupOf[n] === from) groupOf[n] = to
      }
    if (groupOf.every(group => group === groupOf[0])) return []
    return [...new Set(groupOf)].map(group => {
      const members = groupOf.flatMap((one, i) => (one === group ? [i] : []))
      const others = stated.filter((_, i) => groupOf[i] !== group)
      const isRest = members.some(
        i => stated[i].isOpen || others.some(({ has }) => has.some(value => this.#isIn(value, stated[i].excludes))),
      )
      const names = members.some(i => stated[i].has.length === 0) ? [] : this.#union(members.map(i => stated[i].has))
      return { members, names, isRest }
    })
  }

  /** Within a heading, and between headings of like goods. */
  #decides(attribute: number, a: string, b: string): boolean {
    if (headingOf(a) === headingOf(b)) return true
    return this.meta.attributes[attribute].across.some(
      group => group.some(code => a.startsWith(code)) && group.some(code => b.startsWith(code)),
    )
  }

  #areApart(attribute: number, records: readonly number[], stated: readonly Stated[], i: number, j: number): boolean {
    const [a, b] = [stated[i], stated[j]]
    if (this.#excludes(a, b) || this.#excludes(b, a)) return true
    if (a.has.length > 0 && b.has.length > 0)
      return (
        !a.has.some(value => b.has.some(other => this.#meet(value, other))) &&
        !this.#isInherited(attribute, records[i], records[j], a, b)
      )
    if (a.has.length === b.has.length) return false
    const [without, having] = a.has.length === 0 ? [a, b] : [b, a]
    return this.meta.attributes[attribute].isAbsentUnlessStated || (without.isOpen && !having.isOpen)
  }

  /** Whether the first one excludes all that the other has. */
  #excludes({ excludes }: Stated, { has }: Stated): boolean {
    return has.length > 0 && has.every(value => this.#isIn(value, excludes))
  }

  /** What a code above states of both does not tell one from the other. */
  #isInherited(attribute: number, recordA: number, recordB: number, a: Stated, b: Stated): boolean {
    const above = this.#common(recordA, recordB)
    const shared = above === undefined ? undefined : this.#statementsOf(above).get(attribute)
    return shared !== undefined && (isSame(a, shared) || isSame(b, shared))
  }

  /** The nearest record above both. */
  #common(a: number, b: number): number | undefined {
    const aboveB = this.#above(b)
    return this.#above(a).find(above => aboveB.includes(above))
  }

  /** Whether the value or a broader one is among them. */
  #isIn(value: number, among: readonly number[]): boolean {
    for (let at = value; at >= 0; at = this.meta.attributeValues[at].broader) if (among.includes(at)) return true
    return false
  }

  #meet(a: number, b: number): boolean {
    return this.#isIn(a, [b]) || this.#isIn(b, [a])
  }

  /** Without those that a broader one includes. */
  #union(all: readonly (readonly number[])[]): number[] {
    const values = [...new Set(all.flat())]
    return values.filter(value => !this.#isIn(this.meta.attributeValues[value].broader, values)).sort((a, b) => a - b)
  }

  #overlap(groups: readonly Group[]): boolean {
    return groups.some((a, i) =>
      groups.some((b, j) => j < i && a.names.some(one => b.names.some(other => this.#meet(one, other)))),
    )
  }

  #names(values: readonly number[]): Bilingual {
    const names = values.map(value => this.meta.attributeValues[value].name)
    return { en: englishList(names.map(({ en }) => en)), ar: names.map(({ ar }) => ar).join(' أو ') }
  }

  /** The shortest codes that state the same and include no record of another answer. */
  #within(attribute: number, { members }: Group, records: readonly number[], stated: readonly Stated[]): string[] {
    const others = records.filter((_, i) => !members.includes(i))
    const codes = members.map(i =>
      this.#shortestCode(records[i], others, above => {
        return isSame(this.#statementsOf(above).get(attribute) ?? NOTHING, stated[i])
      }),
    )
    return codes.filter((code, i) => !codes.some((other, j) => code.startsWith(other) && (code !== other || j < i)))
  }

  #shortestCode(record: number, others: readonly number[], mayTake: (above: number) => boolean): string {
    return this.records.code(this.#shortest(record, others, mayTake))
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
    return {
      text: { en: en.which, ar: ar.which },
      answers: codes.map((code, i) => ({ text: { en: en.texts[i], ar: ar.texts[i] }, within: [code] })),
    }
  }

  /** Of the nearest code above all; a chapter is too wide to help. */
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

function isSame(a: Stated, b: Stated): boolean {
  return a.isOpen === b.isOpen && sameValues(a.has, b.has) && sameValues(a.excludes, b.excludes)
}

function sameValues(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => b[i] === value)
}
