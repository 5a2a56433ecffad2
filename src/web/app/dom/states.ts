/** Components and buttons among elements that are not components. */
import { h as create, render } from 'preact'
import type { Trouble } from '../data/answer.js'
import { mounted } from '../shared/mounted.js'
import { Slow, TroubleNotice } from '../shared/notices.js'
import { type Child, h } from './dom.js'

export const button = (label: Child, onclick: () => void, props = {}) =>
  h('button', { type: 'button', class: 'button', ...props, onclick }, label)

/** Ends what a component in this element still does, such as asking again. */
export function unhost(element: Element | null): void {
  for (const host of element?.querySelectorAll('.island') ?? []) render(null, host)
}

export const slow = (again: () => void) => mounted(create(Slow, { again }))

export const troubleView = (trouble: Trouble, again: () => void, progress?: string) =>
  mounted(create(TroubleNotice, { trouble, again, progress }))
