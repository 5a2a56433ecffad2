/** Paths to handlers, for an engine that does not match them itself. */
import type { Handler, Method } from './engine.js'

type Handlers = Partial<Record<Method, Handler>>

interface Pattern {
  parts: string[]
  handlers: Handlers
}

export interface Match {
  handler: Handler
  /** What stands in the variable parts, as sent. */
  parameters: string[]
}

const ANY_REST = '/*'

/** The variable parts of a path that fits, or undefined. */
function parametersOf(parts: readonly string[], path: readonly string[]): string[] | undefined {
  if (parts.length !== path.length) return undefined
  const parameters: string[] = []
  for (const [i, part] of parts.entries()) {
    const found = path[i]
    if (part.startsWith(':') && found !== '') parameters.push(found)
    else if (part !== found) return undefined
  }
  return parameters
}

export class Patterns {
  readonly #byPath = new Map<string, Handlers>()
  readonly #withParameters: Pattern[] = []

  add(method: Method, pattern: string, handler: Handler): void {
    this.#handlersOf(pattern)[method] = handler
  }

  #handlersOf(pattern: string): Handlers {
    const known = this.#byPath.get(pattern) ?? this.#withParameters.find(({ parts }) => parts.join('/') === pattern)?.handlers
    if (known !== undefined) return known
    const handlers: Handlers = {}
    if (pattern.includes('/:')) this.#withParameters.push({ parts: pattern.split('/'), handlers })
    else this.#byPath.set(pattern, handlers)
    return handlers
  }

  find(method: Method, path: string): Match | undefined {
    const fixed = path === ANY_REST ? undefined : this.#byPath.get(path)
    if (fixed !== undefined) return choose(fixed, method, [])
    const split = path.split('/')
    for (const { parts, handlers } of this.#withParameters) {
      const parameters = parametersOf(parts, split)
      if (parameters !== undefined) return choose(handlers, method, parameters)
    }
    return choose(this.#byPath.get(ANY_REST) ?? {}, method, [])
  }
}

function choose(handlers: Handlers, method: Method, parameters: string[]): Match | undefined {
  const handler = handlers[method] ?? handlers.any
  return handler === undefined ? undefined : { handler, parameters }
}
