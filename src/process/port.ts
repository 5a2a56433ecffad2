import { type AddressInfo, createServer } from 'node:net'

/** As clients write it. */
export function addressOf(host: string, port: number, scheme = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * The port that threads are to share. It is first asked for alone: else a second server would come to share it too.
 * A free port (0) is chosen here as well, since the kernel gives no second listener a port that it chose itself.
 */
export function findPortToShare(host: string, port: number): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => {
      const { port: found } = probe.address() as AddressInfo
      probe.close(() => resolve(found))
    })
  })
}
