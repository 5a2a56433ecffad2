import { OperatorError } from '../errors.js'

/** A signal ends what writes a file as a mistake would: what is half-written is taken away. */
export function interruption(out: string): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort(new OperatorError(`${out}: interrupted; nothing was written`))
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, stop)
  return controller.signal
}
