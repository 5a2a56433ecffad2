let announcer: HTMLElement | null = null
let announcing = 0

/** Told to screen readers, once the visitor has stopped typing. */
export function announce(text: string): void {
  announcer ??= document.getElementById('announcer')
  clearTimeout(announcing)
  announcing = setTimeout(() => {
    if (announcer) announcer.textContent = text
  }, 400) as unknown as number
}
