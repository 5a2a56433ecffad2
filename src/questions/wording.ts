/** Joins values: "2017 or 2012", "2, 4 or 6". */
export function oneOf(values: readonly (string | number)[]): string {
  const last = values.at(-1)
  return values.length < 2 ? String(last) : `${values.slice(0, -1).join(', ')} or ${last}`
}
