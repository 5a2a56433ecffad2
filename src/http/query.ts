/** Query strings, read as forms are: `&` between, `+` is a space, the first of a repeated parameter counts. */

/** A parameter whose percent-encoding does not spell UTF-8. */
export const BROKEN = Symbol('broken percent-encoding')

function decode(text: string): string | typeof BROKEN {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return BROKEN
  }
}

/** The first value of a parameter: '' where it is absent or empty. */
export function parameter(query: string, name: string): string | typeof BROKEN {
  let from = 0
  while (from < query.length) {
    let end = query.indexOf('&', from)
    if (end < 0) end = query.length
    const equals = query.indexOf('=', from)
    const nameEnd = equals >= 0 && equals < end ? equals : end
    const plain = nameEnd - from === name.length && query.startsWith(name, from)
    if (plain || decodesTo(query, from, nameEnd, name)) {
      return nameEnd === end ? '' : decode(query.slice(nameEnd + 1, end))
    }
    from = end + 1
  }
  return ''
}

/** A name may be percent-encoded too; hardly anyone does it, so it costs only those who do. */
function decodesTo(query: string, from: number, end: number, name: string): boolean {
  const raw = query.slice(from, end)
  return (raw.includes('%') || raw.includes('+')) && decode(raw) === name
}
