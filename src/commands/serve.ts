import { CoarseClock } from '../clock.js'
import { isTransient, TransientError } from '../errors.js'
import { type Log, logIn, traced } from '../process/log.js'
import type { Running } from '../process/serve.js'
import { tuneV8 } from '../process/tune-v8.js'
import { type Config, readConfig } from '../settings/config.js'
import { unknownVariables } from '../settings/table.js'
import { readStamped } from '../snapshot/load.js'
import { snapshotInUse, snapshotLine } from '../snapshot-in-use.js'
import type { Command, Print } from './command.js'
import { ignoreStdoutErrors } from './output.js'

const EXIT_BROKEN = 1
/** Beyond the time to drain, for all else that a stop does. */
const STOP_MS = 5_000
const FILE_POLL_MS = 20

const isOnTerminal = () => process.stdin.isTTY === true || process.stdout.isTTY === true

/** Serves until a signal comes, or until something breaks: then whoever started it is to start it again. */
async function run(print: Print): Promise<void> {
  tuneV8()
  ignoreStdoutErrors()
  const config = readConfig(process.env)
  const log = logIn(config.log, print)
  for (const name of unknownVariables(process.env)) log(`hsapi: ${name} is not known here and changes nothing`)
  let isEnding = false
  const end = async (code: number) => {
    if (isEnding) return
    isEnding = true
    endAtLatest(config.drainMs + STOP_MS, log)
    // a signal may come while it is still starting; a start that fails ends the process itself
    const isClean = await (await starting).stop()
    await fileOperationsDone()
    process.exit(isClean ? code : EXIT_BROKEN)
  }
  const fail = (why: string) => {
    log(`hsapi: stopping: ${why}`)
    void end(EXIT_BROKEN)
  }
  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => end(0))
  // who closes a terminal means the program in it; a supervisor that sends this means a new dataset
  process.on('SIGHUP', async () => (isOnTerminal() ? end(0) : (await starting).reload()))
  process.on('SIGUSR2', async () => (await starting).reopenLog())
  const starting = start(config, log, print)
  const running = await starting
  process.on('uncaughtException', error => fail(traced(error)))
  void running.broken.then(why => fail(`a worker thread failed: ${why}`))
}

/** A stop that hangs, as on a network disk that is gone, ends all the same. */
function endAtLatest(limitMs: number, log: Log): void {
  setTimeout(() => {
    log(`hsapi: stopping did not finish within ${limitMs / 1000} seconds; ending at once`)
    // process.exit would wait for file operations that hang
    process.kill(process.pid, 'SIGKILL')
  }, limitMs)
}

/** process.exit waits for them as well, but without a limit. */
async function fileOperationsDone(): Promise<void> {
  while (process.getActiveResourcesInfo().some(name => name.startsWith('FSReq')))
    await new Promise(done => setTimeout(done, FILE_POLL_MS))
}

/** The snapshot is read while the server's own code is: either takes a tenth of a second. */
async function start(config: Config, log: Log, print: Print): Promise<Running> {
  const snapshot = snapshotInUse(config)
  log(snapshotLine(snapshot))
  const snapshotRead = readStamped(snapshot.file, config.workers > 1)
  // why it cannot be read is told in its turn
  snapshotRead.catch(() => {})
  const { serve } = await import('../process/serve.js')
  const initial = { name: snapshot.file, read: snapshotRead }
  try {
    return await serve(config, { clock: new CoarseClock(), log, show: print, snapshot: initial })
  } catch (error) {
    throw isTransient(error) ? new TransientError((error as Error).message) : error
  }
}

export const serveCommand: Command = { flags: {}, words: [], run: (_values, _words, print) => run(print) }
