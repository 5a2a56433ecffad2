import { OperatorError } from '../errors.js'

export function abortOn(signals: readonly NodeJS.Signals[], reason?: Error): AbortSignal {
  const controller = new AbortController()
  for (const name of signals) process.once(name, () => controller.abort(reason))
  return controller.signal
}

/** Aborts on a signal, so that a half-written file is removed. */
export function interruption(out: string): AbortSignal {
  return abortOn(['SIGINT', 'SIGTERM', 'SIGHUP'], new OperatorError(`${out}: interrupted; nothing was written`))
}
