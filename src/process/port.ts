import { type AddressInfo, createServer } from 'node:net'

export function addressOf(host: string, port: number, scheme = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Opens the port exclusively first, so that two servers do not share it by accident. Also chooses a free port (0), which the
 * kernel would not let a second listener share.
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

/** uWebSockets.js gives no error code, so the port is probed again. */
export async function whyNotListening(error: Error, host: string, port: number): Promise<string> {
  const cause = 'code' in error ? error : await findPortToShare(host, port).catch((probed: Error) => probed)
  if (typeof cause === 'number') return error.message
  return REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? cause.message
}
