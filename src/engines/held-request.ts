import type { HttpRequest } from './engine.js'

/** What a handler may ask of a request, kept beyond the engine's own object. */
export class HeldRequest implements HttpRequest {
  readonly #method: string
  readonly #url: string
  readonly #query: string
  readonly #parameters: string[]
  readonly #headers: [string, string][] = []

  constructor(req: HttpRequest) {
    this.#method = req.getMethod()
    this.#url = req.getUrl()
    this.#query = req.getQuery() ?? ''
    this.#parameters = [req.getParameter(0) ?? '', req.getParameter(1) ?? '']
    req.forEach((name, value) => {
      this.#headers.push([name, value])
    })
  }

  getMethod(): string {
    return this.#method
  }

  getUrl(): string {
    return this.#url
  }

  getQuery(): string {
    return this.#query
  }

  getHeader(lowerCaseName: ArrayBuffer): string {
    const wanted = Buffer.from(lowerCaseName).toString('latin1')
    return this.#headers.find(([name]) => name === wanted)?.[1] ?? ''
  }

  forEach(take: (name: string, value: string) => void): void {
    for (const [name, value] of this.#headers) take(name, value)
  }

  /** Paths have two variable parts at most. */
  getParameter(index: number): string {
    return this.#parameters[index] ?? ''
  }
}
