/**
 * Statements of codes about an attribute ("frozen", "of leather"), and whether two statements exclude each other. Values are
 * numbers.
 */

export interface Statement {
  has: readonly number[]
  excludes: readonly number[]
  /** Whether other values are allowed as well: "and other materials". */
  isOpen: boolean
}

export const NO_STATEMENT: Statement = { has: [], excludes: [], isOpen: false }

export interface Comparison {
  /** Whether a code that does not mention the attribute excludes it. */
  isAbsentUnlessStated: boolean
  /** The statement of a code above both; it does not distinguish the two. */
  above: Statement | undefined
}

/** The values of all attributes. A value may include others: metal includes steel. */
export class Values {
  constructor(
    /** By value: the next broader value, or -1. */
    private readonly broader: readonly number[],
  ) {}

  /** Whether goods that match one statement cannot match the other. */
  areApart(a: Statement, b: Statement, { isAbsentUnlessStated, above }: Comparison): boolean {
    if (this.#excludesAll(a, b) || this.#excludesAll(b, a)) return true
    if (a.has.length > 0 && b.has.length > 0) {
      const isInherited = above !== undefined && (isSame(a, above) || isSame(b, above))
      return !this.haveCommon(a.has, b.has) && !isInherited
    }
    if (a.has.length === b.has.length) return false
    const [without, having] = a.has.length === 0 ? [a, b] : [b, a]
    return isAbsentUnlessStated || (without.isOpen && !having.isOpen)
  }

  #excludesAll({ excludes }: Statement, { has }: Statement): boolean {
    return has.length > 0 && has.every(value => this.isIn(value, excludes))
  }

  /** Whether the list has the value or a broader one. */
  isIn(value: number, among: readonly number[]): boolean {
    for (let at = value; at >= 0; at = this.broader[at]) if (among.includes(at)) return true
    return false
  }

  /** The value and those that include it, the broadest first. */
  path(value: number): number[] {
    const path: number[] = []
    for (let at = value; at >= 0; at = this.broader[at]) path.unshift(at)
    return path
  }

  /** Whether a value of one list equals, includes or is included in a value of the other list. */
  haveCommon(a: readonly number[], b: readonly number[]): boolean {
    return a.some(value => this.isIn(value, b)) || b.some(value => this.isIn(value, a))
  }

  /** The values that do not include another one of the list. */
  narrowest(values: readonly number[]): number[] {
    const distinct = [...new Set(values)]
    return values.filter(value => !distinct.some(one => one !== value && this.isIn(one, [value])))
  }

  /** The values of all lists, ascending, without values that are included in a broader one. */
  union(lists: readonly (readonly number[])[]): number[] {
    const values = [...new Set(lists.flat())]
    return values.filter(value => !this.isIn(this.broader[value], values)).sort((a, b) => a - b)
  }
}

export function isSame(a: Statement, b: Statement): boolean {
  return a.isOpen === b.isOpen && sameValues(a.has, b.has) && sameValues(a.excludes, b.excludes)
}

function sameValues(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => b[i] === value)
}
