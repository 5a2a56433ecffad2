/** What people write around a good; the search leaves it out as well. */
export const EMPTY = new Set('of for the and or in with to a an by من في على مع او عن الى لل'.split(' '))
