/** Attributes of goods: which ones a text or a code states, and which codes an attribute distinguishes. */
import { headingOf } from '../../codes/levels.js'
import type { SnapshotMeta } from '../../snapshot/format.js'
import type { Columns } from '../../snapshot/schema.js'
import { words } from '../../text/fold.js'
import type { Stemmer } from '../../text/terms.js'
import { recordsAbove } from '../above.js'
import type { Records } from '../records.js'
import { NO_STATEMENT, type Statement, Values } from './statements.js'

/** Codes that an attribute does not distinguish, as positions in the list of compared codes. */
export interface Group {
  members: number[]
  /** Values that all members have; empty if a member states none. */
  values: readonly number[]
  /** Whether a member may have other values, or excludes a value of another group. */
  isRest: boolean
}

type AttributeColumns = Pick<Columns, 'attributeAt' | 'attributeValue' | 'source' | 'parent'>
export type AttributeMeta = Pick<SnapshotMeta, 'attributes' | 'attributeValues'>

export class Attributes {
  readonly values: Values
  /** Phrases that state a value, by their first term; created on first use. */
  #phrases: Map<string, { terms: string[]; attribute: number }[]> | undefined

  constructor(
    private readonly columns: AttributeColumns,
    private readonly meta: AttributeMeta,
    private readonly records: Records,
    private readonly stemmer: Stemmer,
  ) {
    this.values = new Values(meta.attributeValues.map(({ broader }) => broader))
  }

  /** Attributes that a text states a value of. */
  statedIn(text: string): Set<number> {
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
    for (const { attribute, phrases: own } of this.meta.attributeValues)
      for (const phrase of own) {
        const terms = phrase.split(' ')
        const same = phrases.get(terms[0])
        if (same === undefined) phrases.set(terms[0], [{ terms, attribute }])
        else same.push({ terms, attribute })
      }
    return phrases
  }

  /** Attributes that some of the records state, in the order of the dataset, with the statement of each record. */
  statements(records: readonly number[]): [attribute: number, statements: Statement[]][] {
    const found = new Map<number, Statement[]>()
    records.forEach((record, place) => {
      for (const [attribute, own] of this.#statementsOf(record)) {
        const all = found.get(attribute) ?? records.map(() => NO_STATEMENT)
        all[place] = own
        found.set(attribute, all)
      }
    })
    return [...found].sort(([a], [b]) => a - b)
  }

  statement(record: number, attribute: number): Statement {
    return this.#statementsOf(record).get(attribute) ?? NO_STATEMENT
  }

  /** By attribute. */
  #statementsOf(record: number): Map<number, Statement> {
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

  /** The first record's group comes first; empty if the attribute does not distinguish the records. */
  groups(attribute: number, records: readonly number[], statements: readonly Statement[]): Group[] {
    const groupOf = records.map((_, i) => i)
    for (let i = 1; i < records.length; i++)
      for (let j = 0; j < i; j++) {
        if (groupOf[i] === groupOf[j] || this.#areApart(attribute, records, statements, i, j)) continue
        const [from, to] = [groupOf[i], groupOf[j]]
        for (let n = 0; n <= i; n++) if (groupOf[n] === from) groupOf[n] = to
      }
    if (groupOf.every(group => group === groupOf[0])) return []
    return [...new Set(groupOf)].map(group => {
      const members = groupOf.flatMap((one, i) => (one === group ? [i] : []))
      const others = statements.filter((_, i) => groupOf[i] !== group)
      const isRest = members.some(
        i => statements[i].isOpen || others.some(({ has }) => has.some(value => this.values.isIn(value, statements[i].excludes))),
      )
      const isNamed = members.every(i => statements[i].has.length > 0)
      return { members, values: isNamed ? this.values.union(members.map(i => statements[i].has)) : [], isRest }
    })
  }

  #areApart(attribute: number, records: readonly number[], statements: readonly Statement[], i: number, j: number): boolean {
    const { isAbsentUnlessStated } = this.meta.attributes[attribute]
    if (!this.#decides(attribute, this.records.code(records[i]), this.records.code(records[j]))) return false
    const aboveOther = recordsAbove(this.columns.parent, records[j])
    const common = recordsAbove(this.columns.parent, records[i]).find(record => aboveOther.includes(record))
    const above = common === undefined ? undefined : this.#statementsOf(common).get(attribute)
    return this.values.areApart(statements[i], statements[j], { isAbsentUnlessStated, above })
  }

  /** An attribute decides within a heading, and between headings of similar goods. */
  #decides(attribute: number, a: string, b: string): boolean {
    if (headingOf(a) === headingOf(b)) return true
    return this.meta.attributes[attribute].across.some(
      group => group.some(code => a.startsWith(code)) && group.some(code => b.startsWith(code)),
    )
  }
}
