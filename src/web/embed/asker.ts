/** Sends searches to a server, one at a time: a new search cancels the previous one. */

export interface Item {
  hs_code: string
  description: { en: string; ar: string }
  tariff_rate: number
  rate?: { min: number; max: number; status?: string }
  path?: { hs_code: string; description: { en: string; ar: string } }[]
}

export type Found =
  | { kind: 'ok'; items: Item[] }
  | { kind: 'limit'; seconds: number }
  | { kind: 'offline' | 'key' | 'origin' | 'none' }

const KNOWN_MAX = 50

export class Asker {
  /** Results by request URL, so that deleting a letter sends no request. */
  readonly #known = new Map<string, Item[]>()
  #asking: AbortController | null = null

  stop(): void {
    this.#asking?.abort()
    this.#asking = null
  }

  /** Null if a newer search has replaced this one. */
  async ask(server: string, key: string, parameters: Record<string, string>): Promise<Found | null> {
    this.stop()
    const given = Object.entries(parameters).filter(([, value]) => value !== '')
    const address = `${server}/api/v1/search?${new URLSearchParams([...given, ['include', 'path,rate']])}`
    const known = this.#known.get(address)
    if (known !== undefined) return { kind: 'ok', items: known }
    const controller = new AbortController()
    this.#asking = controller
    try {
      const response = await fetch(address, {
        headers: key === '' ? {} : { 'X-Api-Key': key },
        signal: controller.signal,
        credentials: 'same-origin',
      })
      if (!response.ok) return refused(response)
      const { data } = (await response.json()) as { data: Item[] }
      this.#remember(address, data)
      return { kind: 'ok', items: data }
    } catch {
      if (controller.signal.aborted) return null
      // browsers do not reveal whether the network or CORS was the cause
      return { kind: new URL(server, location.href).origin === location.origin ? 'offline' : 'origin' }
    }
  }

  #remember(address: string, items: Item[]): void {
    this.#known.set(address, items)
    const [oldest] = this.#known.keys()
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest)
  }
}

function refused({ status, headers }: Response): Found {
  if (status === 401 || status === 403) return { kind: 'key' }
  if (status === 429 || status === 503) return { kind: 'limit', seconds: Math.max(1, Number(headers.get('Retry-After')) || 1) }
  // a refused query, for example one that is too short, counts as no results
  return { kind: status < 500 ? 'none' : 'offline' }
}
