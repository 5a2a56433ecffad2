/** Starts servers and stops them when the caller is done. */
import { get } from 'node:http'
import { startServer } from '../process.mjs'

const script = name => new URL(name, import.meta.url).pathname

/** Headers that uWebSockets.js adds by itself. */
const ADDED = ['date', 'uwebsockets', 'content-length', 'connection', 'keep-alive']

export const BARE_NAME = 'bare uWebSockets.js, bytes and headers of a lookup'

const startReply = reply => startServer([script('bare.mjs')], { BENCH_REPLY: JSON.stringify(reply) })

/** A bare uWebSockets.js server that sends this many bytes and no extra headers. */
export const startBare = bytes => startReply({ headers: [], body: 'x'.repeat(bytes) })

/** A bare uWebSockets.js server that sends the same headers and body as `server`, without checking keys or quotas. */
export async function startBareLike({ port }, { path, headers }) {
  return startReply(await replyTo({ host: '127.0.0.1', port, path, headers, agent: false }))
}

function replyTo(options) {
  return new Promise((resolve, reject) => {
    get(options, async response => {
      const pieces = await response.toArray()
      const { rawHeaders } = response
      const headers = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : []))
      const body = Buffer.concat(pieces).toString('utf8')
      resolve({ headers: headers.filter(([name]) => !ADDED.includes(name.toLowerCase())), body })
    }).on('error', reject)
  })
}

export const startPeer = (name, env) => startServer([script(`${name}.mjs`)], env)

/** @template T  @param {(keep: <S>(server: Promise<S>) => Promise<S>) => Promise<T>} use */
export async function withServers(use) {
  const started = []
  const keep = async starting => {
    const server = await starting
    started.push(server)
    return server
  }
  try {
    return await use(keep)
  } finally {
    await Promise.all(started.map(server => server.stop()))
  }
}
