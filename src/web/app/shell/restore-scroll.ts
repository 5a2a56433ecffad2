/** Restores the scroll position as soon as the page is long enough. Stops when the visitor scrolls, clicks or types. */

const GIVE_UP_MS = 20_000
/**
 * Restoring ends when the page has been long enough and unchanged for this time: late content, such as an estimate, moves the
 * content below it.
 */
const SETTLED_MS = 2000
const TAKEN_OVER = ['wheel', 'touchstart', 'mousedown', 'keydown']

let stop = () => {}
let target: number | undefined

/** The current scroll position, or the position that is being restored. */
export const scrollPosition = (): number => target ?? window.scrollY

export function restoreScroll(y: number): void {
  stop()
  if (y <= 0) return window.scrollTo(0, 0)
  target = y
  const root = document.documentElement
  let settled = 0
  const observer = new ResizeObserver(() => {
    const lowest = root.scrollHeight - window.innerHeight
    window.scrollTo(0, Math.min(y, lowest))
    clearTimeout(settled)
    if (lowest >= y) settled = window.setTimeout(() => stop(), SETTLED_MS)
  })
  const timer = setTimeout(() => stop(), GIVE_UP_MS)
  // scroll anchoring would keep the current content in view while the page is incomplete
  root.style.overflowAnchor = 'none'
  stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    clearTimeout(settled)
    root.style.overflowAnchor = ''
    target = undefined
    for (const name of TAKEN_OVER) window.removeEventListener(name, stop)
    stop = () => {}
  }
  for (const name of TAKEN_OVER) window.addEventListener(name, stop, { passive: true })
  // the observer also calls back once at the start
  observer.observe(document.body)
}
