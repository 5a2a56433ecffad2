/** Pairs of an older and a newer code, grouped both ways and laid out as columns. */

export interface CodePair {
  oldCode: string
  code: string
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}

/**
 * Groups pairs by old code and by new code. The most likely target of an old code comes first: the code itself, then targets
 * with few sources. Targets with many sources are catch-alls.
 */
export function groupPairs(pairs: readonly CodePair[]): { targetsOf: Map<string, string[]>; sourcesOf: Map<string, string[]> } {
  const targetsOf = new Map<string, string[]>()
  const sourcesOf = new Map<string, string[]>()
  for (const { oldCode, code } of pairs) {
    add(targetsOf, oldCode, code)
    add(sourcesOf, code, oldCode)
  }
  for (const [oldCode, codes] of targetsOf) {
    const rank = (code: string) => (code === oldCode ? 0 : (sourcesOf.get(code)?.length ?? 0))
    codes.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  }
  return { targetsOf, sourcesOf }
}

export function inOrder<Value>(byCode: ReadonlyMap<string, Value>): [code: string, Value][] {
  return [...byCode].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Keys with a list of values each. */
export class KeyedLists {
  readonly keys: number[] = []
  readonly values: number[] = []
  readonly #at: number[] = []

  push(key: number, values: readonly number[]): void {
    this.keys.push(key)
    this.#at.push(this.values.length)
    for (const value of values) this.values.push(value)
  }

  /** Where the values of each key start; one more entry is the end of the last key's values. */
  starts(): Uint32Array {
    return Uint32Array.from([...this.#at, this.values.length])
  }
}
