/** A realistic request mix, errors included. Benchmarks, the soak test and `hsapi feed` use it. */
import { pick, type RandomSource, seededRandom, shuffled } from '../../random.js'
import { drawer, type Spread } from './spread.js'

export const SHARES = { lookup: 62, search: 20, tariff: 8, children: 6, mistake: 4 } as const
export type RequestKind = keyof typeof SHARES

const KINDS = Object.entries(SHARES).flatMap(([kind, share]) => Array(share).fill(kind) as RequestKind[])

/** Codes with more digits rarely have children. */
const PARENT_DIGITS_MAX = 7

export interface MixedRequest {
  kind: RequestKind
  path: string
  /** `unknown`: send a key that no server knows. */
  key: 'own' | 'unknown'
  /** Expected status with the same dataset, unless rate-limited. */
  status: number
}

export interface MixOptions {
  seed: number
  spread: Spread
  /** For tools that send one key with every request. */
  withoutUnknownKey: boolean
}

/** A well-formed key that was never issued. */
export const UNKNOWN_KEY = 'hs_free_00000000000000000000000000000000_000000'

const mistake = (path: string, status: number, key: MixedRequest['key'] = 'own'): MixedRequest => ({
  kind: 'mistake',
  path,
  key,
  status,
})
const MISTAKES = [
  mistake('/api/v1/hs-codes/85.23', 400),
  mistake('/api/v1/hs-codes/00', 404),
  mistake('/api/v1/search?q=a', 400),
  mistake('/api/v1/tariff/calculate?hs_code=852321&value=none', 400),
  mistake('/api/v1/nowhere', 404),
]
const ALL_MISTAKES = [...MISTAKES, mistake('/api/v1/hs-codes/85', 401, 'unknown')]

/** Draws a declared value up to 100,000.00. */
export function drawValue(next: RandomSource): string {
  return (next() * 100_000 + 0.01).toFixed(2)
}

/** Returns a function that draws requests. There must be at least one code and one phrase. */
export function mixedRequests(
  sources: { codes: readonly string[]; phrases: readonly string[] },
  options: MixOptions,
): () => MixedRequest {
  const { seed, spread, withoutUnknownKey } = options
  const next = seededRandom(seed)
  const codes = shuffled(sources.codes, next)
  const code = drawer(codes, spread, next)
  const parents = codes.filter(text => text.length <= PARENT_DIGITS_MAX)
  const parent = drawer(parents, spread, next)
  const phrase = drawer(shuffled(sources.phrases, next), spread, next)
  const mistakes = withoutUnknownKey ? MISTAKES : ALL_MISTAKES
  const valid = (kind: RequestKind, path: string): MixedRequest => ({ kind, path, key: 'own', status: 200 })
  const make: Record<RequestKind, () => MixedRequest> = {
    lookup: () => valid('lookup', `/api/v1/hs-codes/${code()}`),
    search: () => valid('search', `/api/v1/search?q=${encodeURIComponent(phrase())}`),
    children: () => valid('children', `/api/v1/hs-codes/${parent()}/children`),
    tariff: () => {
      const value = drawValue(next)
      const query = `hs_code=${code()}&value=${value}${pick(['', '&include_vat=1'], next)}`
      return valid('tariff', `/api/v1/tariff/calculate?${query}`)
    },
    mistake: () => pick(mistakes, next),
  }
  return () => make[pick(KINDS, next)]()
}
