/** Length in Unicode code points. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    const isSurrogatePair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800
    if (isSurrogatePair) count--
  }
  return count
}
