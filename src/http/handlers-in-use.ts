/**
 * The handlers of all routes for the current catalog. All handlers for a new catalog are created first; then they replace the
 * old ones at once.
 */
import type { Catalog } from '../catalog/catalog.js'

export interface InUse<Handler> {
  readonly current: Handler
}

export class HandlersInUse {
  /** Each creates the handler of one route and returns a function that puts the handler into use. */
  readonly #makers: ((catalog: Catalog) => () => void)[] = []
  #isReady = false

  get isReady(): boolean {
    return this.#isReady
  }

  /** `starting` is in use until there is a catalog. */
  add<Handler>(make: (catalog: Catalog) => Handler, starting: Handler): InUse<Handler> {
    const inUse = { current: starting }
    this.#makers.push(catalog => {
      const next = make(catalog)
      return () => {
        inUse.current = next
      }
    })
    return inUse
  }

  /** Creates all handlers, one per step; returns a function that puts all of them into use. */
  *prepare(catalog: Catalog): Generator<void, () => void> {
    const uses: (() => void)[] = []
    for (const make of this.#makers) {
      uses.push(make(catalog))
      yield
    }
    return () => {
      for (const use of uses) use()
      this.#isReady = true
    }
  }
}
