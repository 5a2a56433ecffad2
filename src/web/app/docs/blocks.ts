/** Adds copy buttons to code blocks, and makes blocks that are too wide scrollable by keyboard. */
import { copy } from '../shared/clipboard.js'
import type { DocsStrings } from '../text/strings.js'

const TOLD_MS = 2_000

function copyButton(block: HTMLElement, t: DocsStrings): HTMLElement {
  const button = document.createElement('button')
  const write = (text: string) => {
    button.textContent = text
  }
  button.type = 'button'
  button.className = 'copy'
  button.addEventListener('click', async () => {
    write((await copy((block.textContent ?? '').trimEnd())) ? t.copied : t.copyFailed)
    setTimeout(write, TOLD_MS, t.copy)
  })
  write(t.copy)
  return button
}

export function setUpBlocks(article: HTMLElement, t: DocsStrings): void {
  for (const block of article.querySelectorAll('pre')) block.after(copyButton(block, t))
  const sizes = new ResizeObserver(entries => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
      else target.removeAttribute('tabindex')
    }
  })
  for (const block of article.querySelectorAll('pre, .wide')) sizes.observe(block)
}
