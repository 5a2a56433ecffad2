/** Control characters, line breaks and bidirectional overrides. */
export const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu
