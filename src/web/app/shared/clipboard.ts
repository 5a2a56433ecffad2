/** Copies text, with an HTML version for programs that accept it. */

/** Copies with document.execCommand, which works without a secure context and leaves HTML unchanged. */
function copyByCommand(text: string, html: string | undefined, within: Element): boolean {
  const area = document.createElement('textarea')
  area.className = 'unseen'
  area.setAttribute('aria-hidden', 'true')
  area.value = text
  within.append(area)
  area.select()
  area.addEventListener('copy', event => {
    event.clipboardData?.setData('text/plain', text)
    if (html !== undefined) event.clipboardData?.setData('text/html', html)
    event.preventDefault()
  })
  const isDone = document.execCommand('copy')
  area.remove()
  return isDone
}

/** Returns whether copying worked. `within`: an open dialog, because text outside it cannot be selected. */
export async function copy(text: string, html?: string, within: Element = document.body): Promise<boolean> {
  if (html !== undefined) return copyByCommand(text, html, within)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text, undefined, within)
  }
}
