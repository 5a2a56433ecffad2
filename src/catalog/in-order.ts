/** Where numbers in order, from here to before there, stop being lower than another. */
export function firstNotBelow(numbers: Uint32Array, from: number, to: number, number: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}
