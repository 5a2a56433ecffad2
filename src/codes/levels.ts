/** Levels of the tariff by number of digits: chapter, heading, subheading, and the lines below them. */

export const CHAPTER_DIGITS = 2
export const HEADING_DIGITS = 4
export const SUBHEADING_DIGITS = 6

export const chapterOf = (code: string): string => code.slice(0, CHAPTER_DIGITS)
export const headingOf = (code: string): string => code.slice(0, HEADING_DIGITS)
export const subheadingOf = (code: string): string => code.slice(0, SUBHEADING_DIGITS)

/** The subheading that contains all the codes; null if there is none. */
export function sharedSubheading(codes: readonly string[]): string | null {
  const first = subheadingOf(codes[0] ?? '')
  return first.length === SUBHEADING_DIGITS && codes.every(one => one.startsWith(first)) ? first : null
}

/** A line of a tariff, below the Harmonized System itself. */
export const isLine = (code: string): boolean => code.length > SUBHEADING_DIGITS

/** Pads a code with zeros: 852321 padded to 12 digits is 852321000000. */
export const padded = (code: string, digits: number): string => code.padEnd(digits, '0')

/** Whether the longer code is the shorter code with zeros added. */
export function isPadding(shorter: string, longer: string): boolean {
  return longer.length > shorter.length && longer === padded(shorter, longer.length)
}

/** Restores the leading zeros of a code that was stored as a number. `digits` is its original length. */
export const fromNumber = (number: number, digits: number): string => String(number).padStart(digits, '0')
