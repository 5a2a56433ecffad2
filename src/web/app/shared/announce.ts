/** Announces a text to screen readers when the visitor has stopped typing. */
const QUIET_MS = 400

let timer = 0

export function announce(text: string): void {
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    const place = document.getElementById('announcer')
    if (place) place.textContent = text
  }, QUIET_MS)
}
