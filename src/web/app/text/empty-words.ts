/** Words without goods in them; the search ignores them too. */
export const EMPTY = new Set('of for the and or in with to a an by من في على مع او عن الى لل'.split(' '))
