/** Runs before the first paint: applies the stored theme and language, and marks the start page. */
const root = document.documentElement
try {
  const theme = localStorage.getItem('hsapi-theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  const chosen = localStorage.getItem('hsapi-lang')
  const address = new URL(location.href)
  // the server sees only the browser's preference; /docs/api has one language
  const isOther = (chosen === 'en' || chosen === 'ar') && chosen !== root.lang
  if (isOther && !address.searchParams.has('lang') && location.pathname !== '/docs/api') {
    address.searchParams.set('lang', chosen)
    location.replace(address)
  }
} catch {
  // storage may be forbidden: the browser's preference applies
}
if (location.pathname === '/' && !new URLSearchParams(location.search).get('q')) root.dataset.page = 'start'

// makes this file a module, so that its names are not global
export {}
