/** `/` and Ctrl K (⌘ K on a Mac) lead to the search box from everywhere on a page. */
const isMac = /^(?:Mac|iP)/.test(navigator.platform)
const FIELDS = 'input, textarea, select'

interface Box {
  /** Selects the text in the box; `text` replaces it first. */
  focus: (text: string) => void
  /** A stray letter would do no harm in it. */
  isEmptyAndFocused: () => boolean
}

/** On another keyboard the key has another letter; a Mac uses Ctrl K in text for itself. */
function isCtrlK({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isK = key.toLowerCase() === 'k' || (code === 'KeyK' && !/^[a-z]$/i.test(key))
  return isK && !altKey && !shiftKey && ctrlKey !== isMac && metaKey === isMac
}

/** Words that a visitor marked on the page; those in a field stay where they are. */
function markedText(max: number): string {
  if (document.activeElement?.matches(FIELDS)) return ''
  const text = (getSelection()?.toString() ?? '').replace(/\s+/g, ' ').trim()
  return text.length > max ? text.slice(0, max) : text
}

const TEXT_MAX = 200

export function setUpFindKeys(box: Box): void {
  if (isMac) for (const hint of document.querySelectorAll('[data-keys]')) hint.textContent = '⌘ K'
  document.addEventListener('keydown', event => {
    const isField = (event.target as HTMLElement).matches?.(FIELDS) ?? false
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
    const isFree = isSlash && (!isField || box.isEmptyAndFocused())
    if ((!isFree && !isCtrlK(event)) || document.querySelector('dialog[open]')) return
    event.preventDefault()
    // focusing would take the mark away: the words go along, marked again, to be searched for or copied
    box.focus(isSlash ? '' : markedText(TEXT_MAX))
  })
}
