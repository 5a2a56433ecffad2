import type { HttpRequest } from './engine.js'
import { readHeaders } from './request.js'

/** Copies a request, so that it is still valid after its handler has returned. */
export function holdRequest(req: HttpRequest): HttpRequest {
  const [method, url, query] = [req.getMethod(), req.getUrl(), req.getQuery()]
  // no path has more than two parameters
  const parameters = [req.getParameter(0), req.getParameter(1)]
  const headers = readHeaders(req)
  return {
    getMethod: () => method,
    getUrl: () => url,
    getQuery: () => query,
    getParameter: index => parameters[index] ?? '',
    getHeader: lowerCaseName => {
      const wanted = Buffer.from(lowerCaseName).toString('latin1')
      return headers.find(([name]) => name === wanted)?.[1] ?? ''
    },
    forEach: take => {
      for (const [name, value] of headers) take(name, value)
    },
  }
}
