/** Components and buttons among elements that are not components. */
import { type ComponentChildren, h as create, render } from 'preact'
import type { Trouble } from '../data/answer.js'
import { Slow, TroubleNotice } from '../shared/notices.js'
import { surroundings } from '../shared/surroundings.js'
import { Surrounded } from '../ui/surroundings.js'
import { type Child, h } from './dom.js'

export const button = (label: Child, onclick: () => void, props = {}) =>
  h('button', { type: 'button', class: 'button', ...props, onclick }, label)

/** A component in an element of its own. */
export function hosted(component: ComponentChildren): HTMLElement {
  const host = h('div', { class: 'island' })
  render(create(Surrounded, { value: surroundings() }, component), host)
  return host
}

/** Ends what a component in this element still does, such as asking again. */
export function unhost(element: Element | null): void {
  for (const host of element?.querySelectorAll('.island') ?? []) render(null, host)
}

export const slow = (again: () => void) => hosted(create(Slow, { again }))

export const troubleView = (trouble: Trouble, again: () => void, progress?: string) =>
  hosted(create(TroubleNotice, { trouble, again, progress }))
