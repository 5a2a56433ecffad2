/** Attributes of goods: which ones a text or a code states, and which codes an attribute distinguishes. */
import { headingOf } from '../../codes/levels.js'
import type { SnapshotMeta } from '../../snapshot/format.js'
import type { Columns } from '../../snapshot/schema.js'
import type { Stemmer } from '../../text/terms.js'
import { recordsAbove } from '../above.js'
import type { Records } from '../records.js'
import { Materials } from './materials.js'
import { NO_STATEMENT, type Statement, Values } from './statements.js'
import { ValuePhrases } from './value-phrases.js'

/** Codes that an attribute does not distinguish, as positions in the list of compared codes. */
export interface Group {
  members: number[]
  /** The broadest values that members state; empty if a member states no value. */
  values: readonly number[]
  /** Whether a member may have other values, or excludes a value of another group. */
  isRest: boolean
}

export interface Penalties {
  contradiction: number
  /** For an attribute that a description denies by not mentioning it. */
  silence: number
}

/** "not frozen", «غير مجمد» */
const DENYING: ReadonlySet<string | undefined> = new Set('no non not without غير بدون دون بلا'.split(' '))

type AttributeColumns = Pick<Columns, 'attributeAt' | 'attributeValue' | 'source' | 'parent'>
export type AttributeMeta = Pick<SnapshotMeta, 'attributes' | 'attributeValues'>

export class Attributes {
  readonly values: Values
  readonly materials: Materials
  readonly #phrases: ValuePhrases

  constructor(
    private readonly columns: AttributeColumns,
    private readonly meta: AttributeMeta,
    private readonly records: Records,
    stemmer: Stemmer,
  ) {
    this.values = new Values(meta.attributeValues.map(({ broader }) => broader))
    this.#phrases = new ValuePhrases(meta.attributeValues, stemmer)
    this.materials = new Materials(meta, this.#phrases, this.values)
  }

  /** Attributes for which the text states a value. */
  statedIn(text: string): Set<number> {
    return new Set(this.valuesIn(text).keys())
  }

  /**
   * What a text states, by attribute. A longer phrase hides the phrases inside it: "non woven" does not state "woven".
   * `materials`: the materials with the largest share, which replace all other materials that the text states.
   */
  valuesIn(text: string, materials: readonly number[] = []): Map<number, Statement> {
    const stated = new Map<number, { has: number[]; excludes: number[]; isOpen: boolean }>()
    const { written, terms } = this.#phrases.read(text)
    const end = new Map<number, number>()
    for (let at = 0; at < terms.length; at++)
      for (const { terms: phrase, value } of this.#phrases.at(written, terms, at)) {
        const { attribute, isOther } = this.meta.attributeValues[value]
        if (at + phrase.length <= (end.get(attribute) ?? 0)) continue
        end.set(attribute, at + phrase.length)
        const all = stated.get(attribute) ?? { has: [], excludes: [], isOpen: false }
        stated.set(attribute, all)
        if (isOther) all.isOpen = true
        else if (DENYING.has(written[at - 1])) all.excludes.push(value)
        else all.has.push(value)
      }
    for (const value of materials) {
      const all = stated.get(this.meta.attributeValues[value].attribute)
      if (all !== undefined) all.has = [...materials]
    }
    // in "polyester fabric", "fabric" only names the goods
    for (const all of stated.values()) all.has = this.values.narrowest(all.has)
    return stated
  }

  /**
   * By record: the sum of the penalties for stated attributes that the record contradicts. A record for "other" goods contradicts
   * a value if another record of the list states that value.
   */
  contradictions(
    stated: ReadonlyMap<number, Statement>,
    records: readonly number[],
    isWithinHeading: boolean,
    { contradiction, silence }: Penalties,
  ): number[] {
    const sums = records.map(() => 0)
    for (const [attribute, text] of stated) {
      const { isAbsentUnlessStated, across } = this.meta.attributes[attribute]
      const all = records.map(record => this.statement(record, attribute))
      const isNamed = all.some(({ has }) => this.values.haveCommon(has, text.has))
      if (!isNamed && text.excludes.length === 0) continue
      const penalty = isAbsentUnlessStated ? silence : contradiction
      all.forEach((statement, i) => {
        if (!this.values.areApart(text, statement, { isAbsentUnlessStated, above: undefined })) return
        const code = isWithinHeading ? '' : this.records.code(records[i])
        if (isWithinHeading || across.some(group => group.some(one => code.startsWith(one)))) sums[i] += penalty
      })
    }
    return sums
  }

  /** Whether a record excludes what the text states: "headphones, other than wireless ones". */
  isExcluded(stated: ReadonlyMap<number, Statement>, record: number): boolean {
    for (const [attribute, { has }] of stated)
      if (has.length > 0) {
        const { excludes } = this.statement(record, attribute)
        if (excludes.length > 0 && has.every(value => this.values.isIn(value, excludes))) return true
      }
    return false
  }

  /** Attributes that at least one of the records states, in the order of the dataset, with the statement of each record. */
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
    const { attributeAt, attributeValue, source } = this.columns
    const own = source[record]
    let found: { has: number[]; excludes: number[]; isOpen: boolean } | undefined
    for (let at = attributeAt[own]; at < attributeAt[own + 1]; at++) {
      const value = attributeValue[at] >> 1
      const meta = this.meta.attributeValues[value]
      if (meta.attribute !== attribute) continue
      found ??= { has: [], excludes: [], isOpen: false }
      if (meta.isOther) found.isOpen = true
      else if ((attributeValue[at] & 1) === 1) found.excludes.push(value)
      else found.has.push(value)
    }
    return found ?? NO_STATEMENT
  }

  /** The record's statements by attribute. */
  #statementsOf(record: number): Map<number, Statement> {
    const { attributeAt, attributeValue, source } = this.columns
    const own = source[record]
    const statements = new Map<number, Statement>()
    for (let at = attributeAt[own]; at < attributeAt[own + 1]; at++) {
      const { attribute } = this.meta.attributeValues[attributeValue[at] >> 1]
      if (!statements.has(attribute)) statements.set(attribute, this.statement(record, attribute))
    }
    return statements
  }

  /** Records grouped by their values, with the first record's group first; empty if the attribute does not distinguish them. */
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

  /** Whether the attribute may decide between two codes: codes of one heading, or of headings for similar goods. */
  #decides(attribute: number, a: string, b: string): boolean {
    if (headingOf(a) === headingOf(b)) return true
    return this.meta.attributes[attribute].across.some(
      group => group.some(code => a.startsWith(code)) && group.some(code => b.startsWith(code)),
    )
  }
}
