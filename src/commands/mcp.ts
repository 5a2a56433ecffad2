import { makeServer } from '../mcp/server.js'
import { openCatalog, SNAPSHOT_FLAG } from './ask.js'
import type { Command } from './command.js'

/** Standard output belongs to the protocol. */
const say = (text: string) => process.stderr.write(`hsapi mcp: ${text}\n`)

export const mcpCommand: Command = {
  flags: SNAPSHOT_FLAG,
  run: async values => {
    const catalog = await openCatalog(values)
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
    // a file as standard input ends without being closed
    const ended = new Promise<void>(done => process.stdin.once('end', done).once('close', done))
    serveStdio(() => makeServer(catalog), { onerror: error => say(error.message) })
    const { edition, version } = catalog.meta
    say(`${edition}, dataset ${version}; serving the Model Context Protocol on standard input and output`)
    await ended
  },
}
