/** How long a text is, as people count characters. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--
  return count
}

/** Whether two code units make up one character, the second of them here. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}
