/** Whether goods are declared on a code itself or on one of the lines below it: the first thing to know of a record. */
import type { Code } from '../api.js'
import { type Child, fill, h, replace } from '../dom.js'
import { t } from '../language.js'
import { codeLink } from '../parts.js'

export const declaredHere = () => h('p', { class: 'declared' }, t.thisIsLine)

/** Says how many lines there are once they are known; `section` lists them. */
export function declaredBelow(section: () => HTMLElement | null) {
  const element = h('p', { class: 'declared' })
  // not followed as an address: that would be an entry of the history
  const toLines = (event: Event) => {
    event.preventDefault()
    section()?.scrollIntoView()
    section()?.querySelector<HTMLElement>('li a')?.focus({ preventScroll: true })
  }
  const show = (lines: readonly Code[], total: number) => {
    const [only] = lines
    let text: Child = null
    if (total === 1 && only) text = fill(t.onlyLine, { code: codeLink(only.hs_code) })
    else if (total > 1) text = h('a', { href: '#part-lines', onclick: toLines }, t.chooseLine(total))
    replace(element, text)
  }
  return { element, show }
}
