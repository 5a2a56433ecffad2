/** Where the server's own lines go. */
import type { Config } from '../settings/config.js'

export type Log = (line: string) => void

/** Lines as people read them, as programs do, or not at all. */
export function logIn(form: Config['log'], print: Log, now: () => number = Date.now): Log {
  if (form === 'text') return print
  if (form === 'off') return () => {}
  return line => print(JSON.stringify({ time: new Date(now()).toISOString(), message: line.replace(/^hsapi: /, '') }))
}

/** What is told of a request that failed by our mistake; its answer carries the same id. */
export function faultLine(id: string, why: string): string {
  return `hsapi: request ${id} failed: ${why}`
}

/** An error as a log shows it, where it came from included. */
export function traced(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
