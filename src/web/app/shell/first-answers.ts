/** Reads the API answers that the server put into the document, so that the first view sends no request for them. */
import { carry } from '../data/carried.js'
import { ANSWERS_ID, type FirstAnswers } from '../data/first-paths.js'

const CANONICAL = 'link[rel=canonical]'
const ADDRESS_LINKS = `${CANONICAL}, link[rel=alternate][hreflang]`
const IN_ADDRESS = ['lang', 'country']

/** Call this before reading the country from the address. */
export function takeFirstAnswers(): void {
  if (!isOurAddress()) forgetAddress()
  const element = document.getElementById(ANSWERS_ID)
  if (element === null) return
  carry(JSON.parse(element.textContent ?? '') as FirstAnswers)
  element.remove()
}

/** Offline, the service worker serves the document of the start page at any address. */
function isOurAddress(): boolean {
  const link = document.querySelector<HTMLLinkElement>(CANONICAL)
  const isMore = [...new URLSearchParams(location.search).keys()].some(name => !IN_ADDRESS.includes(name))
  return !isMore && link !== null && new URL(link.href).pathname === location.pathname
}

/** Call this when the page's address changes: a browser's "share" would send the document's first address. */
export function forgetAddress(): void {
  for (const link of document.querySelectorAll(ADDRESS_LINKS)) link.remove()
}
