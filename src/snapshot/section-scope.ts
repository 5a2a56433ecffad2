const DIGITS: Record<string, number> = { I: 1, V: 5, X: 10 }

/** The scope of a section's notes: S16 for section XVI. Accepts Roman numerals up to XXXIX. */
export function sectionScope(section: string): string {
  const values = Array.from(section, letter => DIGITS[letter] ?? 0)
  const number = values.reduce((sum, value, i) => (value < (values[i + 1] ?? 0) ? sum - value : sum + value), 0)
  return `S${String(number).padStart(2, '0')}`
}
