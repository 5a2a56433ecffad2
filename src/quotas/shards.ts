/** A map split into many small ones: a Map of a million entries takes a tenth of a second to grow. */
import { fnv1a } from '../fnv1a.js'

const SHARDS = 512

export class Shards<Value> {
  readonly #maps: Map<string, Value>[] = Array.from({ length: SHARDS }, () => new Map())

  #of(key: string): Map<string, Value> {
    return this.#maps[fnv1a(key) % SHARDS]
  }

  get(key: string): Value | undefined {
    return this.#of(key).get(key)
  }

  set(key: string, value: Value): void {
    this.#of(key).set(key, value)
  }

  delete(key: string): void {
    this.#of(key).delete(key)
  }

  clear(): void {
    for (const map of this.#maps) map.clear()
  }

  *entries(): Generator<[string, Value]> {
    for (const map of this.#maps) yield* map
  }
}
