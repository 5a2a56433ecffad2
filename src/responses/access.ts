/** What an access log is told of an answer. */
export interface Access {
  /** Milliseconds since the epoch. */
  timeMs: number
  method: string
  /** Path and query, as sent. */
  target: string
  route: string
  /** Never the key itself; '' where no key was known. */
  keyId: string
  status: number
  microseconds: number
  bytes: number
}

/** Takes them as they come and never waits. */
export type AccessLog = (access: Access) => void
