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

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; ports below 1024 need root, or the capability CAP_NET_BIND_SERVICE',
  EADDRINUSE: 'the port is in use; is another server running there?',
  EADDRNOTAVAIL: 'HSAPI_HOST is not an address of this machine',
}

/** In words. An engine that does not tell is helped out by asking for the port once more. */
export async function whyNotListening(error: Error, host: string, port: number): Promise<string> {
  const telling = 'code' in error ? error : await findPortToShare(host, port).catch((probed: Error) => probed)
  if (typeof telling === 'number') return error.message
  return REASONS[(telling as NodeJS.ErrnoException).code ?? ''] ?? telling.message
}
