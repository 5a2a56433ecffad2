import type { HttpRequest } from './engine.js'
import { readHeaders } from './request.js'

/** A copy of a request, valid after its handler returns. */
export class HeldRequest implements HttpRequest {
  readonly #method: string
  readonly #url: string
  readonly #query: string
  readonly #parameters: string[]
  readonly #headers: [name: string, value: string][]

  constructor(req: HttpRequest) {
    this.#method = req.getMethod()
    this.#url = req.getUrl()
    this.#query = req.getQuery() ?? ''
    // no path has more than two parameters
    this.#parameters = [req.getParameter(0) ?? '', req.getParameter(1) ?? '']
    this.#headers = readHeaders(req)
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

  getParameter(index: number): string {
    return this.#parameters[index] ?? ''
  }
}
