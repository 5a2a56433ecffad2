const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether the text is a day that exists, written as 2026-11-15. */
export function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN
  // 31 April would be read as 1 May
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
