/** Matches paths for node:http, which has no router. */
import type { Handler, Method } from './engine.js'

type Handlers = Partial<Record<Method, Handler>>

const CATCH_ALL = '/*'

function matchParameters(pattern: readonly string[], path: readonly string[]): string[] | undefined {
  if (pattern.length !== path.length) return undefined
  const parameters: string[] = []
  for (const [i, part] of pattern.entries()) {
    if (part.startsWith(':') && path[i] !== '') parameters.push(path[i])
    else if (part !== path[i]) return undefined
  }
  return parameters
}

export class Router {
  readonly #fixed = new Map<string, Handlers>()
  readonly #withParameters = new Map<string, { parts: string[]; handlers: Handlers }>()

  add(method: Method, pattern: string, handler: Handler): void {
    const handlers = this.#fixed.get(pattern) ?? this.#withParameters.get(pattern)?.handlers ?? {}
    handlers[method] = handler
    if (pattern.includes('/:')) this.#withParameters.set(pattern, { parts: pattern.split('/'), handlers })
    else this.#fixed.set(pattern, handlers)
  }

  find(method: Method, path: string) {
    const fixed = path === CATCH_ALL ? undefined : this.#fixed.get(path)
    if (fixed !== undefined) return choose(fixed, method, [])
    const split = path.split('/')
    for (const { parts, handlers } of this.#withParameters.values()) {
      const parameters = matchParameters(parts, split)
      if (parameters !== undefined) return choose(handlers, method, parameters)
    }
    return choose(this.#fixed.get(CATCH_ALL) ?? {}, method, [])
  }
}

function choose(handlers: Handlers, method: Method, parameters: string[]) {
  const handler = handlers[method] ?? handlers.any
  return handler === undefined ? undefined : { handler, parameters }
}
