/** Frees a replaced dataset: V8 does not count shared memory, so several old ones would stay for long. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Only contexts created after the flag was set have `gc`. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

/** Later, when nothing on the stack refers to the old dataset. Takes some 20 ms; the first time, the collector 10 ms in another turn. */
export function collectSoon(): void {
  setImmediate(() => {
    collect ??= exposeCollector()
    setImmediate(collect)
  })
}
