/** What a connection needs from a way to reach Redis, and the settings that all ways share. */

export interface Transport {
  readonly isReady: boolean
  /** Rejects at once if the command cannot be sent. */
  send(args: readonly string[]): Promise<unknown>
  /** Every server that holds a part of the data replies. */
  reachAll(): Promise<void>
  subscribe(channel: string, listener: () => void): Promise<void>
  /** Connects again. */
  replace(): void
  close(): void
}

export interface TransportEvents {
  ready(): void
  /** The connection broke, or cannot be opened. */
  lost(error: unknown): void
  /** Something else failed that only explains why there is no connection. */
  note(error: unknown): void
}

const CONNECT_MS = 2_000
export const RETRY_MS = 250
/** A connection without traffic for this time is closed: its handshake may have been lost, which commands cannot detect. */
export const IDLE_MS = 5_000
/** Keeps connections open that have no traffic of their own. */
export const PING_MS = 1_000

export const socketOptions = (idleMs: number, tls = false) => ({
  ...(tls && { tls: true as const }),
  connectTimeout: CONNECT_MS,
  socketTimeout: idleMs,
  reconnectStrategy: () => RETRY_MS,
  noDelay: true,
})

/** A command fails at once if it cannot be sent: requests must not wait for it. */
export const CLIENT_OPTIONS = { disableOfflineQueue: true, maintNotifications: 'disabled' } as const

/** Imported on demand: the client takes a tenth of a second to load. */
export const loadClient = () => import('@redis/client')

/** Closes a client that may not be open. */
export function destroy(client: { destroy(): void } | undefined): void {
  try {
    client?.destroy()
  } catch {
    // it was not open
  }
}
