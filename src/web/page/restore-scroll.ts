/** Puts the page where it stood, as soon as that much of it is drawn again. A visitor who scrolls meanwhile is left alone. */

const GIVE_UP_MS = 20_000
const TAKEN_OVER = ['wheel', 'touchstart', 'mousedown', 'keydown']

let stop = () => {}

export function restoreScroll(y: number): void {
  stop()
  if (y <= 0) return window.scrollTo(0, 0)
  const observer = new ResizeObserver(() => {
    const lowest = document.documentElement.scrollHeight - window.innerHeight
    window.scrollTo(0, Math.min(y, lowest))
    if (lowest >= y) stop()
  })
  const timer = setTimeout(() => stop(), GIVE_UP_MS)
  stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const name of TAKEN_OVER) window.removeEventListener(name, stop)
    stop = () => {}
  }
  for (const name of TAKEN_OVER) window.addEventListener(name, stop, { passive: true })
  // calls back once at the start, too
  observer.observe(document.body)
}
