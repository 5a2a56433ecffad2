/**
 * uWebSockets.js, from the one package that holds its binary for this platform and Node. Upstream publishes on
 * GitHub only and its combined package carries every platform; see README, "Dependencies".
 */
import { createRequire } from 'node:module'
import { OperatorError } from '../errors.js'

export type Bytes = string | Uint8Array | ArrayBuffer

export interface HttpRequest {
  getMethod(): string
  getUrl(): string
  getQuery(): string
  getHeader(lowerCaseName: Bytes): string
  getParameter(index: number): string
}

export interface HttpResponse {
  writeStatus(status: Bytes): HttpResponse
  writeHeader(name: Bytes, value: Bytes): HttpResponse
  end(body?: Bytes, closeConnection?: boolean): HttpResponse
  endWithoutBody(): HttpResponse
}

export type Handler = (res: HttpResponse, req: HttpRequest) => void
export type ListenSocket = object

export interface App {
  get(pattern: string, handler: Handler): App
  head(pattern: string, handler: Handler): App
  any(pattern: string, handler: Handler): App
  /** Called with +1 for every connection opened and -1 for every one closed. */
  filter(handler: (res: HttpResponse, change: number) => void): App
  listen(host: string, port: number, options: number, done: (socket: ListenSocket | false) => void): App
  close(): App
}

interface UWebSockets {
  App(): App
  us_listen_socket_close(socket: ListenSocket): void
  us_socket_local_port(socket: ListenSocket): number
  /** Without it a second server on the same port would start silently and share the connections. */
  LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

export function packageName(platform: string, arch: string, nodeVersion: string): string {
  return `@uwsjs/${platform}-${arch}-${nodeVersion.split('.')[0]}`
}

export function loadUws(): UWebSockets {
  const name = packageName(process.platform, process.arch, process.versions.node)
  try {
    return createRequire(import.meta.url)(name) as UWebSockets
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    throw new OperatorError(
      `uWebSockets.js cannot be loaded: this platform needs the npm package ${name} (${reason})`,
    )
  }
}
