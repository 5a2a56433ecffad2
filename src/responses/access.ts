export interface Access {
  timeMs: number
  method: string
  /** Path and query, as sent. */
  target: string
  route: string
  /** Never the key itself; '' without a known key. */
  keyId: string
  status: number
  microseconds: number
  bytes: number
}

/** Must not block. */
export type AccessLog = (access: Access) => void
