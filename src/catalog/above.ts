/** Records above a record, from its parent up to the chapter. */
export function recordsAbove(parent: Int32Array, record: number): number[] {
  const above: number[] = []
  for (let at = parent[record]; at >= 0; at = parent[at]) above.push(at)
  return above
}
