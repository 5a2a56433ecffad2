/** How V8 is to treat a server: settings for the whole process, to be made before its code runs hot. */
import { setFlagsFromString } from 'node:v8'

/**
 * A request passes a dozen small functions, more than V8 puts into one by default; every call in between costs
 * cache lines that the kernel has just taken. bench/README.md has the figures.
 */
const INLINED_BYTECODE_BYTES = 1500
const INLINED_BYTECODE_BYTES_TOGETHER = 4000

export function tuneV8(): void {
  setFlagsFromString(`--max-inlined-bytecode-size=${INLINED_BYTECODE_BYTES}`)
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODE_BYTES_TOGETHER}`)
}
