/**
 * Loads uWebSockets.js from a package with the binary of one platform. The upstream package has the binaries of all platforms;
 * see docs/dependencies.md.
 */
import { createRequire } from 'node:module'
import type { Handler, HttpResponse, Method } from './engine.js'

export type ListenSocket = object

export interface UwsApp extends Record<Method, (pattern: string, handler: Handler) => UwsApp> {
  /** `change` is +1 for a connection opened, -1 for one closed. */
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
  /** Without this option, a second server on the same port would start silently and share the connections. */
  LIBUS_LISTEN_EXCLUSIVE_PORT: number
}

/** Value of UWS_HTTP_MAX_HEADERS_SIZE, which the engine reads once, when it is loaded. The engine's default is 4,096. */
const REQUEST_HEAD_BYTES_MAX = 16_384
/**
 * The first 20.x version that does not lose a body that overflows the engine's cork buffer, according to our tests; see
 * uws-sender.ts.
 */
const OVERFLOW_FIX_MINOR = 69

const require = createRequire(import.meta.url)

const installedPackage = () => packageName(process.platform, process.arch, process.versions.node)

export function packageName(platform: string, arch: string, nodeVersion: string): string {
  return `@uwsjs/${platform}-${arch}-${nodeVersion.split('.')[0]}`
}

/** Throws if there is no binary for this platform and Node version. */
export function loadUws(): UWebSockets {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(REQUEST_HEAD_BYTES_MAX)
  return require(installedPackage()) as UWebSockets
}

export function uwsVersion(): string {
  return (require(`${installedPackage()}/package.json`) as { version: string }).version
}

export function hasOverflowFix(): boolean {
  const [major, minor] = uwsVersion().split('.').map(Number)
  return major === 20 && (minor ?? 0) >= OVERFLOW_FIX_MINOR
}
