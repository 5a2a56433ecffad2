import { CoarseClock } from '../clock.js'
import { isTransient, TransientError } from '../errors.js'
import { type Log, logIn, traced } from '../process/log.js'
import type { Running } from '../process/serve.js'
import { tuneV8 } from '../process/tune-v8.js'
import { type Config, readConfig } from '../settings/config.js'
import { settingsHelp } from '../settings/describe.js'
import { unknownVariables } from '../settings/table.js'
import { readStamped } from '../snapshot/load.js'
import { snapshotInUse, snapshotLine } from '../snapshot-in-use.js'
import type { Command } from './command.js'
import { ignoreStdoutErrors, printCounting } from './output.js'

const EXIT_BROKEN = 1
/** Time limit for the rest of a stop, after requests have finished and idle connections are closed. */
const STOP_MS = 5_000
const FILE_POLL_MS = 20

const isOnTerminal = () => process.stdin.isTTY === true || process.stdout.isTTY === true

/** Serves until a signal or a failure. After a failure, the supervisor restarts it. */
async function run(): Promise<void> {
  tuneV8()
  ignoreStdoutErrors()
  const config = readConfig(process.env)
  const output = printCounting()
  const log = logIn(config.log, output.print)
  for (const name of unknownVariables(process.env)) log(`hsapi: ${name} is not a known setting and is ignored`, 'warning')
  let isEnding = false
  const end = async (code: number) => {
    if (isEnding) return
    isEnding = true
    exitAfter(config.finishMs + config.drainMs + STOP_MS, log)
    // a signal may arrive during the start; if the start fails, the process exits by itself
    const isClean = await (await starting).stop(() => exitAfter(STOP_MS, log))
    await fileOperationsDone()
    const exitCode = isClean ? code : EXIT_BROKEN
    log(`hsapi: stopped, ${isClean ? 'nothing was lost' : 'with losses'}; exit code ${exitCode}`, isClean ? 'info' : 'error')
    process.exit(exitCode)
  }
  const fail = (why: string) => {
    log(`hsapi: stopping: ${why}`, 'error')
    void end(EXIT_BROKEN)
  }
  const endOn = (signal: string) => {
    log(`hsapi: ${signal} received: stopping`)
    void end(0)
  }
  process.on('SIGTERM', endOn)
  process.on('SIGINT', endOn)
  // SIGHUP means that a terminal was closed, or that a supervisor asks for a reload
  process.on('SIGHUP', async signal => {
    if (isOnTerminal()) return endOn(signal)
    log(`hsapi: ${signal} received: loading the snapshot${config.tls === undefined ? '' : ' and the certificate'} again`)
    await (await starting).reload()
  })
  process.on('SIGUSR2', async signal => {
    log(
      `hsapi: ${signal} received: ${config.accessLog?.file === undefined ? 'no access log to reopen' : 'reopening the access log'}`,
    )
    await (await starting).reopenLog()
  })
  const starting = start(config, log, output)
  const running = await starting
  process.on('uncaughtException', error => fail(traced(error)))
  void running.broken.then(why => fail(`a worker thread failed: ${why}`))
}

/** Kills the process if stopping hangs, for example on an unreachable network disk. */
function exitAfter(limitMs: number, log: Log): void {
  setTimeout(() => {
    log(`hsapi: stopping did not finish within ${limitMs / 1000} seconds; ending at once`, 'error')
    // process.exit would wait for hanging file operations
    process.kill(process.pid, 'SIGKILL')
  }, limitMs)
}

/** Waits for file operations. process.exit would wait for them too, but without the time limit of `exitAfter`. */
async function fileOperationsDone(): Promise<void> {
  while (process.getActiveResourcesInfo().some(name => name.startsWith('FSReq')))
    await new Promise(done => setTimeout(done, FILE_POLL_MS))
}

/** Reads the snapshot while the server's code loads; each of the two takes about a tenth of a second. */
async function start(config: Config, log: Log, { print, dropped }: ReturnType<typeof printCounting>): Promise<Running> {
  const snapshot = snapshotInUse(config)
  log(snapshotLine(snapshot))
  const snapshotRead = readStamped(snapshot.file, config.workers > 1)
  // this error is reported by `serve`
  snapshotRead.catch(() => {})
  const { serve } = await import('../process/serve.js')
  const initial = { name: snapshot.file, read: snapshotRead }
  try {
    return await serve(config, { clock: new CoarseClock(), log, logDropped: dropped, show: print, snapshot: initial })
  } catch (error) {
    throw isTransient(error) ? new TransientError((error as Error).message) : error
  }
}

const HELP = `Usage: hsapi serve

Loads the snapshot and answers requests until SIGTERM or SIGINT. SIGHUP loads the snapshot again; in a
terminal it stops the server. If there are no keys yet, it creates one free key and prints it once.

${settingsHelp(process.env)}`

export const serveCommand: Command = { help: HELP, run }
