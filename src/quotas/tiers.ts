export interface Limits {
  perMinute: number
  perDay: number
}

export const TIERS = {
  free: { perMinute: 30, perDay: 1_000 },
  basic: { perMinute: 60, perDay: 5_000 },
  pro: { perMinute: 200, perDay: 50_000 },
} as const satisfies Record<string, Limits>

export type Tier = keyof typeof TIERS

export function isTier(text: string): text is Tier {
  return Object.hasOwn(TIERS, text)
}

/** The limit exists because counts are 32-bit integers. */
export const LIMIT_MAX = 2_000_000_000

/** The figures of an unlimited key: V8's largest small integer. */
export const UNLIMITED: Limits = { perMinute: 2 ** 31 - 1, perDay: 2 ** 31 - 1 }
