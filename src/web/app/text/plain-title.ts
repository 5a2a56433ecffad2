/** The title of a product without the markup that shops put into it. */

/** A comparison such as "size < 5" is not a tag. */
// regexp-ignore: linear, a tag ends before the next one starts
const TAG = /<[/!a-z][^<>]*>/giu
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  deg: '°',
  times: '×',
}
const CODE_POINT_MAX = 0x10ffff

function decoded(_: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? ' '
  const point = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
  return point > 31 && point <= CODE_POINT_MAX && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : ' '
}

export const plainTitle = (text: string) => text.replace(TAG, ' ').replace(ENTITY, decoded).replace(/\s+/gu, ' ').trim()
