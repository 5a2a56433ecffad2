/** What the server put into the document for its first view: answers, so that nothing is asked for again, and its address. */
import { carry } from '../data/carried.js'
import { ANSWERS_ID, type FirstAnswers } from '../data/first-paths.js'

const CANONICAL = 'link[rel=canonical]'
const ADDRESS_LINKS = `${CANONICAL}, link[rel=alternate][hreflang]`
const IN_ADDRESS = ['lang', 'country']

/** Before the country is read from the address. */
export function takeFirstAnswers(): void {
  if (!isOurAddress()) forgetAddress()
  const element = document.getElementById(ANSWERS_ID)
  if (element === null) return
  carry(JSON.parse(element.textContent ?? '') as FirstAnswers)
  element.remove()
}

/** Offline, any page may have the document of the start page. */
function isOurAddress(): boolean {
  const link = document.querySelector<HTMLLinkElement>(CANONICAL)
  const isMore = [...new URLSearchParams(location.search).keys()].some(name => !IN_ADDRESS.includes(name))
  return !isMore && link !== null && new URL(link.href).pathname === location.pathname
}

/** The page has another address now: a browser's "share" would send the one of the document. */
export function forgetAddress(): void {
  for (const link of document.querySelectorAll(ADDRESS_LINKS)) link.remove()
}
