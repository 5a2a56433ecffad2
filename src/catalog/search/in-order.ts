/** The first position in `[from, to)` of ascending values whose value is not below `value`. */
export function lowerBound<Value extends number | string>(
  values: ArrayLike<Value>,
  value: Value,
  from = 0,
  to = values.length,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}
