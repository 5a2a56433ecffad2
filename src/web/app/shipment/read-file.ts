/** The text of a file, whichever program saved it; null if it is not text. */

const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

function decode(bytes: Uint8Array): string {
  const marked = MARKS.find(mark => mark.bytes.every((byte, at) => bytes[at] === byte))
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // what Excel saves as CSV under an Arabic Windows
    return new TextDecoder('windows-1256').decode(bytes)
  }
}

export function decodeText(bytes: Uint8Array): string | null {
  const text = decode(bytes)
  return text.includes('\u0000') ? null : text
}
