const SHARE = /^(\d{1,3}(?:\.\d{1,6})?)%$/

/** Reads `0.1%` as a fraction; `0` needs no percent sign. */
export function readShare(text: string): number | undefined {
  if (text === '0') return 0
  const value = Number(SHARE.exec(text)?.[1]) / 100
  return value <= 1 ? value : undefined
}
