const PLAIN = /^[\w.-]*$/
/**
 * Most names and values need no encoding. Creating a URLSearchParams takes longer than building the rest of an address, and a
 * page has dozens of addresses.
 */
const encoded = (value: string) => (PLAIN.test(value) ? value : new URLSearchParams({ '': value }).toString().slice(1))

/** Adds parameters to a path; empty ones are left out. */
export function query(path: string, parameters: Record<string, string | number | null | undefined>): string {
  let text = path
  let sign = '?'
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === '') continue
    text += `${sign}${encoded(name)}=${encoded(String(value))}`
    sign = '&'
  }
  return text
}
