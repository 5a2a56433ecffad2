import type { Config } from '../settings/config.js'

/** `warning`: something needs attention, requests are still answered; `error`: requests or counts were lost, or the server stops. */
export type Level = 'info' | 'warning' | 'error'
/** `info` by default. Only JSON shows the level. */
export type Log = (line: string, level?: Level) => void

export function logIn(form: Config['log'], print: (line: string) => void, now: () => number = Date.now): Log {
  if (form === 'text') return line => print(line)
  if (form === 'off') return () => {}
  return (line, level = 'info') =>
    print(JSON.stringify({ time: new Date(now()).toISOString(), level, message: line.replace(/^hsapi: /, '') }))
}

/** The response carries the same id. */
export function faultLine(id: string, why: string): string {
  return `hsapi: request ${id} failed: ${why}`
}

export function traced(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
