const DATE = /^\d{4}-\d{2}-\d{2}$/

/** Whether a day is written as 2026-11-15, and exists. */
export function isDate(text: string): boolean {
  return DATE.test(text) && !Number.isNaN(Date.parse(text))
}
