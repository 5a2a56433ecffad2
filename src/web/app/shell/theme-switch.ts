/** Light or dark: as the browser prefers, until the visitor says otherwise. */

const KEPT = 'hsapi-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement

const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark'

/** What the button is called: by what it switches to. */
interface Labels {
  themeLight: string
  themeDark: string
}

export function setUpTheme(button: HTMLElement, labels: Labels): void {
  const tell = () => button.setAttribute('aria-label', isDark() ? labels.themeLight : labels.themeDark)
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    // back at what the browser prefers, it is followed again
    const isPreferred = (next === 'dark') === dark.matches
    if (isPreferred) delete root.dataset.theme
    else root.dataset.theme = next
    try {
      if (isPreferred) localStorage.removeItem(KEPT)
      else localStorage.setItem(KEPT, next)
    } catch {}
    tell()
  })
  dark.addEventListener('change', tell)
  tell()
}
