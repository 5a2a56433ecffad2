import { OperatorError } from '../errors.js'

/** Aborts on a signal, so that a half-written file is removed. */
export function interruption(out: string): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort(new OperatorError(`${out}: interrupted; nothing was written`))
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, stop)
  return controller.signal
}
