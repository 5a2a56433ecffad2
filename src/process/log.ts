import { escapeControls, escapeLines } from '../control-characters.js'
import { maskKeys } from '../mask-secrets.js'
import type { Config } from '../settings/config.js'

/** `warning`: needs attention, but requests are answered. `error`: requests or counts were lost, or the server stops. */
export type Level = 'info' | 'warning' | 'error'
/** Writes a log line. The default level is `info`; only JSON shows the level. */
export type Log = (line: string, level?: Level) => void

export function logIn(form: Config['log'], print: (line: string) => void, now: () => number = Date.now): Log {
  if (form === 'text') return line => print(escapeLines(maskKeys(line)))
  if (form === 'off') return () => {}
  return (line, level = 'info') => {
    const message = maskKeys(line).replace(/^hsapi: /, '')
    print(escapeControls(JSON.stringify({ time: new Date(now()).toISOString(), level, message })))
  }
}

/** The log line of a request that failed; the response has the same id. */
export function faultLine(id: string, why: string, traceparent?: string): string {
  return `hsapi: request ${id}${traceparent === undefined ? '' : ` (traceparent ${traceparent})`} failed: ${why}`
}

/** Escapes the line breaks of a message: text from a client must not look like a separate log line. */
export function traced(error: unknown): string {
  if (!(error instanceof Error)) return escapeControls(String(error))
  const { message, stack = message } = error
  return stack.replace(message, () => escapeControls(message))
}
