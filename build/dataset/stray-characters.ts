/** Control characters, and invisible marks that change the direction or shape of text. */
export const STRAY_CHARACTER = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufffd]/u
/** Characters that XML forbids (feeds and pages contain these texts), and direction overrides. */
export const UNPRINTABLE = /(?![\t\r\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u

/** The first character of a text that matches `pattern`, as a message names it. */
export function findStrayCharacter(text: string, pattern: RegExp): string | undefined {
  const stray = pattern.exec(text)
  if (stray === null) return undefined
  const code = (stray[0].codePointAt(0) as number).toString(16).padStart(4, '0').toUpperCase()
  return `the stray character U+${code} at position ${stray.index + 1}`
}
