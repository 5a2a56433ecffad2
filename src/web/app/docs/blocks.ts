/** Adds copy buttons to code blocks, and lets wide blocks scroll by keyboard. */
import { h } from '../dom/dom.js'
import type { DocsStrings } from '../text/strings.js'

const TOLD_MS = 2_000

function copyButton(block: HTMLElement, t: DocsStrings): HTMLElement {
  const button = h('button', { type: 'button', class: 'copy' }, t.copy)
  button.addEventListener('click', async () => {
    const text = block.textContent ?? ''
    button.textContent = await navigator.clipboard.writeText(text.trimEnd()).then(
      () => t.copied,
      () => t.copyFailed,
    )
    setTimeout(() => {
      button.textContent = t.copy
    }, TOLD_MS)
  })
  return button
}

export function setUpBlocks(article: HTMLElement, t: DocsStrings): void {
  // browsers offer the clipboard only over HTTPS and on localhost
  if (navigator.clipboard !== undefined) for (const block of article.querySelectorAll('pre')) block.after(copyButton(block, t))
  const sizes = new ResizeObserver(entries => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
      else target.removeAttribute('tabindex')
    }
  })
  for (const block of article.querySelectorAll('pre, .wide')) sizes.observe(block)
}
