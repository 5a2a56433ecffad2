/**
 * uWebSockets.js, from the one package that holds its binary for this platform and Node. Upstream publishes on
 * GitHub only and its combined package carries every platform; see README, "Dependencies".
 */
import { createRequire } from 'node:module'
import type { Handler, HttpResponse, Method } from './engine.js'

export type ListenSocket = object

export interface UwsApp extends Record<Method, (pattern: string, handler: Handler) => UwsApp> {
  /** Called with +1 for every connection opened and -1 for every one closed. */
  filter(handler: (res: HttpResponse, change: number) => void): UwsApp
  listen(host: string, port: number, options: number, done: (socket: ListenSocket | false) => void): UwsApp
  listen_unix(done: (socket: ListenSocket | false) => void, path: string): UwsApp
  close(): UwsApp
}

export interface UWebSockets {
  App(): UwsApp
  SSLApp(options: { cert_file_name: string; key_file_name: string }): UwsApp
  us_listen_socket_close(socket: ListenSocket): void
  us_socket_local_port(socket: ListenSocket): number
  /** Without it a second server on the same port would start silently and share the connections. */
  LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

export function packageName(platform: string, arch: string, nodeVersion: string): string {
  return `@uwsjs/${platform}-${arch}-${nodeVersion.split('.')[0]}`
}

/** Of a request, its first line and headers; the engine's own default is 4,096. It reads this once, when it is loaded. */
const REQUEST_HEAD_BYTES_MAX = 16_384

/** Throws where there is no binary for this platform and Node, or none that loads here. */
export function loadUws(): UWebSockets {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(REQUEST_HEAD_BYTES_MAX)
  return require(installedPackage()) as UWebSockets
}

/** The first version that was seen to keep a body that overflows its buffer just as the kernel takes no more. */
const SOUND_MINOR = 69

/** Of the package at hand; throws where there is none. */
export function uwsVersion(): string {
  return (require(`${installedPackage()}/package.json`) as { version: string }).version
}

/** Whether the version at hand is known to lose nothing; see uws-sender.ts. What is not known is not trusted. */
export function isSoundUws(): boolean {
  const [major, minor] = uwsVersion().split('.').map(Number)
  return major === 20 && (minor ?? 0) >= SOUND_MINOR
}

const require = createRequire(import.meta.url)

const installedPackage = () => packageName(process.platform, process.arch, process.versions.node)
