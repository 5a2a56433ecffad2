/** Control characters, line breaks and bidirectional overrides. */
export const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** Escapes control characters in a line of JSON without changing its meaning. */
export function escapeControls(line: string): string {
  return line.replace(CONTROL_CHARACTERS, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Like `escapeControls`, but keeps line breaks. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeControls).join('\n')
