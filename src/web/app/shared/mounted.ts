/** Mounts components in elements of the document outside the pages. */
import { type ComponentChildren, h, render } from 'preact'
import { Surrounded } from '../ui/surroundings.js'
import { surroundings } from './surroundings.js'

export const renderIn = (place: Element, component: ComponentChildren) =>
  render(h(Surrounded, { value: surroundings() }, component), place)

/** Mounts a component in its own element. */
export function mounted(component: ComponentChildren): HTMLElement {
  const host = document.createElement('div')
  host.className = 'island'
  renderIn(host, component)
  return host
}
