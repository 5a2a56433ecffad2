/** `/` and Ctrl K (⌘ K on a Mac) move the focus to the search box from anywhere on a page. */
const isMac = /^(?:Mac|iP)/.test(navigator.platform)
const FIELDS = 'input, textarea, select'

interface Box {
  /** Selects the text in the box; `text`, if not empty, replaces it first. */
  focus: (text: string) => void
  /** In the empty box, `/` is the shortcut and not typed text. */
  isEmptyAndFocused: () => boolean
}

/** Keyboards without Latin letters have K at the same position. A Mac uses Ctrl K to edit text, so it needs ⌘ K. */
function isCtrlK({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isK = key.toLowerCase() === 'k' || (code === 'KeyK' && !/^[a-z]$/i.test(key))
  return isK && !altKey && !shiftKey && ctrlKey !== isMac && metaKey === isMac
}

/** The text that the visitor has selected on the page, unless it is in a field. */
function selectedText(max: number): string {
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
    // focusing the box clears the selection, so the box gets the selected text and selects it: for a search, or to copy it
    box.focus(isSlash ? '' : selectedText(TEXT_MAX))
  })
}
