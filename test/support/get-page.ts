/** Requests a page over plain HTTP with the given headers; Node adds only Host and Connection. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The uncompressed body. */
  text: string
}

export function getPage(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, res => {
      const pieces: Buffer[] = []
      res.on('data', piece => pieces.push(piece))
      res.on('end', () => {
        const bytes = Buffer.concat(pieces)
        const isGzip = res.headers['content-encoding'] === 'gzip' && bytes.length > 0
        const text = (isGzip ? gunzipSync(bytes) : bytes).toString()
        resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes, text })
      })
    })
    req.on('error', reject)
    req.end()
  })
}
