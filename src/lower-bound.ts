/** Binary search: the first position in `[from, to)` for which `isBelow` is false, or `to`. */
export function partitionPoint(from: number, to: number, isBelow: (position: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBelow(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** In ascending values, the first position in `[from, to)` whose value is not below `value`. */
export function lowerBound<Value extends number | string>(
  values: ArrayLike<Value>,
  value: Value,
  from = 0,
  to = values.length,
): number {
  return partitionPoint(from, to, position => values[position] < value)
}
