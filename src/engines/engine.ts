/**
 * What the server asks of an HTTP engine. uWebSockets.js has these calls by nature and is handed through as it is;
 * engine-node.ts gives them to node:http.
 */
export type EngineName = 'uws' | 'node'

export type Bytes = string | Uint8Array | ArrayBuffer

/** Dead as soon as its handler returns. */
export interface HttpRequest {
  /** In lower case on one engine, as sent on the other. */
  getMethod(): string
  /** The path, as sent. */
  getUrl(): string
  /** Without its question mark. */
  getQuery(): string | undefined
  /** The first of that name, or ''. A buffer of its own is what uWebSockets takes fastest. */
  getHeader(lowerCaseName: ArrayBuffer): string
  /** Every header line, in order; names in lower case. */
  forEach(take: (name: string, value: string) => void): void
  /** A variable part of the path, as sent. */
  getParameter(index: number): string
}

export interface HttpResponse {
  /** The status line and every header, as one block of bytes: `200 OK\r\nContent-Type: …` */
  writeStatus(head: ArrayBuffer): HttpResponse
  writeHeader(name: Bytes, value: Bytes): HttpResponse
  /** The body goes out before this returns, or is copied. */
  end(body: Bytes, closeConnection?: boolean): HttpResponse
  endWithoutBody(): HttpResponse
  /** A piece of a body of so many bytes: whether there was no need to wait, and whether all of the body is out. */
  tryEnd(piece: Uint8Array | ArrayBuffer | string, total: number): [boolean, boolean]
  /** How much of the body was taken. */
  getWriteOffset(): number
  /** Ends the connection, answered or not. */
  close(): void
  /** The request's body, piece by piece; a piece is good only during the call. */
  onData(take: (piece: ArrayBuffer, isLast: boolean) => void): HttpResponse
  /** Called when the client goes away before the answer; the response is dead from then on. */
  onAborted(forget: () => void): HttpResponse
  /** For answers given after the handler returned. */
  cork(write: () => void): HttpResponse
  /** The other end of the connection: 4 bytes of IPv4, 16 of IPv6, none where it is not known. Not after `end`. */
  getRemoteAddress(): ArrayBuffer
}

/** Sends whole answers; how, and what of them may wait for a client that does not read, is the engine's affair. */
export interface Sender {
  /** The body goes out before this returns, or is copied. */
  send(res: HttpResponse, head: ArrayBuffer, body: Uint8Array | ArrayBuffer, closing: boolean): void
  /** As `send`, without the body, whose length is told where there would be one. */
  sendHead(res: HttpResponse, head: ArrayBuffer, length: number | undefined, closing: boolean): void
}

/** Files of a certificate and its key, as PEM. */
export interface TlsFiles {
  cert: string
  key: string
}

export type Handler = (res: HttpResponse, req: HttpRequest) => void
export type Method = 'get' | 'head' | 'post' | 'options' | 'any'

export interface Engine {
  readonly name: EngineName
  readonly sender: Sender
  /** A colon marks a variable part of the pattern, a star at its end any rest. More telling patterns win. */
  route(method: Method, pattern: string, handler: Handler): void
  /** Open connections. */
  readonly connections: number
  /**
   * The port taken. Alone, a port that another server has is refused; with others, threads of one process share it.
   * Rejects where the port cannot be had.
   */
  listen(host: string, port: number, withOthers: boolean): Promise<number>
  /** The same on a Unix socket, beside a port or without one. */
  listenUnix(path: string): Promise<void>
  /** No further connections; those that are open stay. */
  stopListening(): void
  /** Ends every connection. */
  close(): void
}
