/** A server with the Redis protocol whose replies a test defines. */
import { createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface FakeRedis {
  url: string
  /** All commands that were received. */
  commands: string[][]
  /** Returns the reply to a command as bytes of the protocol; undefined means '+OK'. */
  answer(command: string[]): string | undefined
}

/** Returns the first command in the received text and its length; undefined if it is incomplete. */
function firstCommand(text: string): { command: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (head === null) return undefined
  const command: string[] = []
  let at = head[0].length
  for (let remaining = Number(head[1]); remaining > 0; remaining--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at))
    if (size === null) return undefined
    const from = at + size[0].length
    at = from + Number(size[1]) + 2
    if (at > text.length) return undefined
    command.push(text.slice(from, at - 2))
  }
  return { command, length: at }
}

export async function startFakeRedis(t: Test, answer: FakeRedis['answer']): Promise<FakeRedis> {
  const fake: FakeRedis = { url: '', commands: [], answer }
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let received = ''
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', data => {
      received += data.toString('latin1')
      for (let next = firstCommand(received); next !== undefined; next = firstCommand(received)) {
        received = received.slice(next.length)
        fake.commands.push(next.command)
        socket.write(fake.answer(next.command) ?? '+OK\r\n', 'latin1')
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  fake.url = `redis://127.0.0.1:${(server.address() as { port: number }).port}`
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return fake
}
