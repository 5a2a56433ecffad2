/** What the pages do. */
const response = await fetch('/explorer.json')
const { mode } = (await response.json()) as { mode: 'open' | 'key'; key?: string }
document.documentElement.dataset.mode = mode

export {}
