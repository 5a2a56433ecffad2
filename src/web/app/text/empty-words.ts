/** Words that do not name goods; the search also ignores them. */
export const EMPTY = new Set('of for the and or in with to a an by من في على مع او عن الى لل'.split(' '))
