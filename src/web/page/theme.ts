/** Runs before the first paint: the theme that was chosen here before, and whether this is the start page. */
const root = document.documentElement
try {
  const theme = localStorage.getItem('hsapi-theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
} catch {
  // storage may be forbidden: the browser's preference stays
}
if (location.pathname === '/' && !new URLSearchParams(location.search).get('q')) root.dataset.page = 'start'

// alone in its scope, though it takes nothing from elsewhere
export {}
