/** Light or dark: the browser's preference, until the visitor chooses. */

const KEPT = 'hsapi-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement

const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark'

/** Labels of the button, by the theme that it switches to. */
interface Labels {
  themeLight: string
  themeDark: string
}

export function setUpTheme(button: HTMLElement, labels: Labels): void {
  const tell = () => button.setAttribute('aria-label', isDark() ? labels.themeLight : labels.themeDark)
  button.addEventListener('click', () => {
    const next = isDark() ? 'light' : 'dark'
    // a choice that equals the browser's preference is not stored, so that the page follows the preference again
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
