/** The fold below a page that shows the same as a request to the API; what it shows is loaded when it is opened. */
import type { Route } from '../data/address.js'

/** No work on a keystroke. */
const QUIET_MS = 300

/** Pages that one request stands for. */
function hasRequest(route: Route): boolean {
  switch (route.page) {
    case 'search':
      return route.q.trim() !== ''
    case 'classify':
      return route.text !== ''
    case 'check':
      return route.codes !== ''
    default:
      return route.page === 'record' || route.page === 'browse'
  }
}

/** Gives what is called with every new address. */
export function setUpRequest(place: HTMLElement): (route: Route) => void {
  const fold = place.querySelector('details') as HTMLDetailsElement
  let current: Route = { page: 'lost' }
  let timer = 0
  const fill = async () => {
    const { showAsRequest } = await import('./as-request.js')
    showAsRequest(fold, current)
  }
  fold.addEventListener('toggle', () => {
    if (fold.open) void fill()
  })
  return route => {
    current = route
    place.hidden = !hasRequest(route)
    clearTimeout(timer)
    if (fold.open && !place.hidden) timer = window.setTimeout(() => void fill(), QUIET_MS)
  }
}
