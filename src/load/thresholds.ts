const MS_OF: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }
const DURATION = /^(\d{1,9}(?:\.\d{1,6})?)(us|ms|s)$/
const SHARE = /^(\d{1,3}(?:\.\d{1,6})?)%$/

/** `5ms`, `0.5s`, `800us` in milliseconds; undefined for anything else, including zero. */
export function readMilliseconds(text: string): number | undefined {
  const [, number, unit = ''] = DURATION.exec(text) ?? []
  const value = Number(number) * MS_OF[unit]
  return value > 0 ? value : undefined
}

/** `0.1%` as a fraction; `0` needs no sign. */
export function readShare(text: string): number | undefined {
  if (text === '0') return 0
  const value = Number(SHARE.exec(text)?.[1]) / 100
  return value <= 1 ? value : undefined
}
