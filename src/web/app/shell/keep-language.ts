/** If the address names a language, adds the language to the links. */
export function keepLanguage(selector: string): void {
  const chosen = new URLSearchParams(location.search).get('lang')
  if (chosen === null) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) {
    const url = new URL(link.href)
    url.searchParams.set('lang', chosen)
    link.href = url.pathname + url.search + url.hash
  }
}

/** Stores the choice for the next visit; theme.ts reads it before the first paint. */
export function rememberLanguage(link: HTMLElement): void {
  link.addEventListener('click', () => {
    try {
      localStorage.setItem('hsapi-lang', link.getAttribute('hreflang') ?? '')
    } catch {
      // storage may be forbidden
    }
  })
}
