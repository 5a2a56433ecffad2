/** Runs before the first paint: the theme and the language that were chosen here before, and whether this is the start page. */
const root = document.documentElement
try {
  const theme = localStorage.getItem('hsapi-theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
  const chosen = localStorage.getItem('hsapi-lang')
  const address = new URL(location.href)
  // the server knows the browser's preference only; the contract's viewer has no link to choose by and one language
  const isOther = (chosen === 'en' || chosen === 'ar') && chosen !== root.lang
  if (isOther && !address.searchParams.has('lang') && location.pathname !== '/docs/api') {
    address.searchParams.set('lang', chosen)
    location.replace(address)
  }
} catch {
  // storage may be forbidden: the browser's preference stays
}
if (location.pathname === '/' && !new URLSearchParams(location.search).get('q')) root.dataset.page = 'start'

// alone in its scope, though it takes nothing from elsewhere
export {}
