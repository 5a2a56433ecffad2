import type { Clock } from '../clock.js'
import type { EngineDecision } from '../engines/engines.js'
import type { Config } from '../settings/config.js'
import type { Log } from './log.js'
import type { Teardown } from './teardown.js'

/** Values that every phase of a start uses. The first snapshot is not among them, since a reload frees it. */
export interface Setup {
  config: Config
  engine: EngineDecision
  clock: Clock
  log: Log
  /** Lines of the log that could not be written. */
  logDropped(): number
  teardown: Teardown
}
