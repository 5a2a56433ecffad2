/** Light or dark: as the browser prefers, until the visitor says otherwise. */
import { t } from './language.js'

const KEPT = 'hsapi-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const root = document.documentElement

const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark'

export function setUpTheme(button: HTMLElement): void {
  const tell = () => button.setAttribute('aria-label', isDark() ? t.themeLight : t.themeDark)
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
