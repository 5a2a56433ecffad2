/** Numbers values in the order of their first use; equal values have the same number. */
export class Distinct<Value> {
  readonly values: Value[] = []
  readonly #places = new Map<string, number>()

  place(value: Value): number {
    const key = JSON.stringify(value)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const place = this.values.push(value) - 1
    this.#places.set(key, place)
    return place
  }
}
