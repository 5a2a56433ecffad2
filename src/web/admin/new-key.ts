/** Reads the form of a new key. */

export const TIERS = { free: [30, 1_000], basic: [60, 5_000], pro: [200, 50_000] } as const
const LIMIT_MAX = 2_000_000_000

/** Null if the field is blank, undefined if it is not a limit. */
function limitOf(field: unknown): number | null | undefined {
  const text = String(field ?? '').replaceAll(/[\s,]/g, '')
  if (text === '') return null
  return /^[0-9]{1,10}$/.test(text) && Number(text) <= LIMIT_MAX ? Number(text) : undefined
}

/** The body of the request to create a key; undefined if a limit is invalid. */
export function newKeyIn(form: FormData): object | undefined {
  const [per_minute, per_day] = [limitOf(form.get('per_minute')), limitOf(form.get('per_day'))]
  if (per_minute === undefined || per_day === undefined) return undefined
  return {
    tier: form.get('tier'),
    name: String(form.get('name')).trim(),
    expires: form.get('expires') || null,
    per_minute,
    per_day,
    unlimited: form.has('unlimited'),
  }
}
