/** V8 flags for a server, to be set before its code is optimised. */
import { setFlagsFromString } from 'node:v8'

/** A request passes through a dozen small functions, more than V8 inlines by default. bench/README.md has the figures. */
const INLINED_BYTECODE_BYTES = 1500
const INLINED_BYTECODE_BYTES_TOGETHER = 4000

export function tuneV8(): void {
  setFlagsFromString(`--max-inlined-bytecode-size=${INLINED_BYTECODE_BYTES}`)
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODE_BYTES_TOGETHER}`)
}
