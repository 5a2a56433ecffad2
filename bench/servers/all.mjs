/** Starts servers for as long as something is done with them. */
import { startServer } from '../process.mjs'

const script = name => new URL(name, import.meta.url).pathname

/** A bare uWebSockets.js server: `ok`, or as many bytes as asked for. */
export const startBare = (bytes = 0) => startServer([script('bare.mjs'), String(bytes)])

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
