import type { Config } from '../settings/config.js'

export type Log = (line: string) => void

export function logIn(form: Config['log'], print: Log, now: () => number = Date.now): Log {
  if (form === 'text') return print
  if (form === 'off') return () => {}
  return line => print(JSON.stringify({ time: new Date(now()).toISOString(), message: line.replace(/^hsapi: /, '') }))
}

/** The response carries the same id. */
export function faultLine(id: string, why: string): string {
  return `hsapi: request ${id} failed: ${why}`
}

export function traced(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
