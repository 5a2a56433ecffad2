/** The interface to one server, Sentinel or Cluster, and the settings that all three share. */

export interface Transport {
  readonly isReady: boolean
  /** Rejects at once if the command cannot be sent. */
  send(args: readonly string[]): Promise<unknown>
  /** Resolves once every server that holds a part of the data has replied and, with Sentinel, is still the primary. */
  reachAll(): Promise<void>
  subscribe(channel: string, listener: () => void): Promise<void>
  /** Closes the connection and connects again. */
  replace(): void
  close(): void
}

export interface TransportEvents {
  ready(): void
  /** The connection broke, or cannot be opened. */
  lost(error: unknown): void
  /** Another failure, which only explains why there is no connection. */
  note(error: unknown): void
}

const CONNECT_MS = 2_000
export const RETRY_MS = 250
/**
 * A connection without traffic for this time is closed, because its handshake may have been lost; commands cannot detect that.
 */
export const IDLE_MS = 5_000
/** Interval of pings, which keep idle connections open. */
export const PING_MS = 1_000

export const socketOptions = (idleMs: number, tls = false) => ({
  ...(tls && { tls: true as const }),
  connectTimeout: CONNECT_MS,
  socketTimeout: idleMs,
  reconnectStrategy: () => RETRY_MS,
  noDelay: true,
})

/** A command that cannot be sent fails at once, so that requests do not wait for it. */
export const CLIENT_OPTIONS = { disableOfflineQueue: true, maintNotifications: 'disabled' } as const

/** Imported on demand: the client takes a tenth of a second to load. */
export const loadClient = () => import('@redis/client')

/** Closes a client, which may already be closed. */
export function destroy(client: { destroy(): void } | undefined): void {
  try {
    client?.destroy()
  } catch {}
}
