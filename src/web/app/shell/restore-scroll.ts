/** Puts the page where it stood, as soon as that much of it is drawn again. A visitor who scrolls meanwhile is left alone. */

const GIVE_UP_MS = 20_000
/** What comes late, such as an estimate, still moves what is below it. */
const SETTLED_MS = 2000
const TAKEN_OVER = ['wheel', 'touchstart', 'mousedown', 'keydown']

let stop = () => {}
let target: number | undefined

/** Where the page stands, or will stand once that much of it is drawn. */
export const standsAt = (): number => target ?? window.scrollY

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
  // the browser would hold what happens to be in view while the page is not whole
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
  // calls back once at the start, too
  observer.observe(document.body)
}
