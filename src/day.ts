const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether a day is written as 2026-11-15, and exists. */
export function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN
  // 31 April would be read as 1 May
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
