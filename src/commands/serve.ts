import { CoarseClock } from '../clock.js'
import { readConfig, unknownVariables } from '../config.js'
import { traced } from '../process/log.js'
import { serve } from '../process/serve.js'
import { tuneV8 } from '../process/tune-v8.js'
import type { Command, Print } from './command.js'

const EXIT_BROKEN = 1

/** Serves until a signal comes, or until something breaks: then whoever started it is to start it again. */
async function run(print: Print): Promise<void> {
  tuneV8()
  const config = readConfig(process.env)
  for (const name of unknownVariables(process.env))
    print(`hsapi: ${name} is not known here and changes nothing`)
  const running = await serve(config, new CoarseClock(), print)
  let isEnding = false
  const end = async (code: number) => {
    if (isEnding) return
    isEnding = true
    await running.stop()
    process.exit(code)
  }
  const fail = (why: string) => {
    print(`hsapi: ${why}`)
    void end(EXIT_BROKEN)
  }
  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => end(0))
  process.on('uncaughtException', error => fail(`it must stop: ${traced(error)}`))
  void running.broken.then(why => fail(`it must stop, since a worker failed: ${why}`))
}

export const serveCommand: Command = { flags: {}, words: [], run: (_values, _words, print) => run(print) }
