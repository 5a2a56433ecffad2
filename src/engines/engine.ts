/** The interface of an HTTP engine: uWebSockets.js's own calls, which engine-node.ts implements over node:http. */
export type EngineName = 'uws' | 'node'

export type Bytes = string | Uint8Array | ArrayBuffer

/** A request, which is valid only until its handler returns. */
export interface HttpRequest {
  /** In lower case on uWebSockets.js; as the client sent it on node:http. */
  getMethod(): string
  /** The path as the client sent it. */
  getUrl(): string
  getQuery(): string | undefined
  /** Returns the first header of that name, or ''. */
  getHeader(lowerCaseName: ArrayBuffer): string
  /** Calls back for every header line, with its name in lower case. */
  forEach(take: (name: string, value: string) => void): void
  getParameter(index: number): string
}

export interface HttpResponse {
  /** Takes status line and headers as one block: `200 OK\r\nContent-Type: …` */
  writeStatus(head: ArrayBuffer): HttpResponse
  writeHeader(name: string, value: string): HttpResponse
  /** The caller may reuse `body` afterwards. */
  end(body: Bytes, closeConnection?: boolean): HttpResponse
  endWithoutBody(): HttpResponse
  /** Writes part of a body of `total` bytes; returns [no backpressure, body complete]. */
  tryEnd(piece: Uint8Array | ArrayBuffer | string, total: number): [boolean, boolean]
  getWriteOffset(): number
  close(): void
  /** Reads the request body; a piece is valid only during the call. */
  onData(take: (piece: ArrayBuffer, isLast: boolean) => void): HttpResponse
  /** Calls back if the client disconnects before the response; the response must not be used afterwards. */
  onAborted(forget: () => void): HttpResponse
  /** Must enclose writes after the handler has returned. */
  cork(write: () => void): HttpResponse
  /** Returns 4 bytes for IPv4, 16 for IPv6, none if unknown. Must not be called after `end`. */
  getRemoteAddress(): ArrayBuffer
}

/** Sends whole responses and limits the bytes buffered for clients that do not read. */
export interface Sender {
  /** The caller may reuse `body` afterwards. */
  send(res: HttpResponse, head: ArrayBuffer, body: Uint8Array | ArrayBuffer, closing: boolean): void
  /** Sends no body; `length` is the Content-Length that GET would have. */
  sendHead(res: HttpResponse, head: ArrayBuffer, length: number | undefined, closing: boolean): void
}

/** Paths of PEM files. */
export interface TlsFiles {
  cert: string
  key: string
}

export type Handler = (res: HttpResponse, req: HttpRequest) => void
export type Method = 'get' | 'head' | 'post' | 'options' | 'any'

export interface Engine {
  readonly name: EngineName
  readonly sender: Sender
  /** `:name` in a pattern is a parameter, and a final `*` matches the rest of any path; the more specific pattern wins. */
  route(method: Method, pattern: string, handler: Handler): void
  readonly connections: number
  /** Resolves to the port; `isShared` lets several threads listen on it. */
  listen(host: string, port: number, isShared: boolean): Promise<number>
  listenUnix(path: string): Promise<void>
  /** Reads the TLS files again, for new connections; open ones are not affected. Rejects if the files cannot be used. */
  renewCertificate(): Promise<void>
  /** Refuses new connections and keeps open ones. */
  stopListening(): Promise<void>
  close(): void
}
