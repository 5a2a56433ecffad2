import type { Clock } from '../clock.js'
import type { EngineDecision } from '../engines/engines.js'
import type { Config } from '../settings/config.js'
import type { Log } from './log.js'
import type { Teardown } from './teardown.js'

/** Values that every phase of a start uses. The first snapshot is not one of them, because a reload must be able to free it. */
export interface Setup {
  config: Config
  engine: EngineDecision
  clock: Clock
  log: Log
  /** Returns the number of log lines that could not be written. */
  logDropped(): number
  teardown: Teardown
}
