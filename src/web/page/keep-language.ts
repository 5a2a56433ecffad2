/** Links go on in the language that the address names; without one, the server chooses by the browser's preference each time. */
export function keepLanguage(selector: string): void {
  const chosen = new URLSearchParams(location.search).get('lang')
  if (chosen === null) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) {
    const url = new URL(link.href)
    url.searchParams.set('lang', chosen)
    link.href = url.pathname + url.search + url.hash
  }
}
