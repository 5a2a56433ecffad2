/** Elements from values. Data only ever becomes text or an attribute: there is no way from here to markup. */

export type Child = Node | string | number | null | undefined | false | readonly Child[]
type Listener = (event: never) => void
export type Props = Record<string, string | number | boolean | null | undefined | Listener>

function put(parent: Node, child: Child): void {
  if (child === null || child === undefined || child === false) return
  if (child instanceof Node) parent.appendChild(child)
  else if (Array.isArray(child)) for (const one of child) put(parent, one)
  else parent.appendChild(document.createTextNode(String(child)))
}

function setAttributes(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as unknown as EventListener)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/** `h('a', { href, onclick: go }, 'text', other)`: a name that begins with "on" is an event. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  setAttributes(element, props)
  put(element, children)
  return element
}

export function fragment(...children: Child[]): DocumentFragment {
  const made = document.createDocumentFragment()
  put(made, children)
  return made
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(fragment(...children))
}

/** A sentence with `{name}` in it, with elements in their places. */
export function fill(sentence: string, parts: Readonly<Record<string, Child>>): Child[] {
  return sentence.split(/\{(\w{1,30})\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]))
}

export { announce } from '../shared/announce.js'
export { fillText } from '../text/written.js'

/** Text that a visitor typed: it has its own direction. */
export const isolated = (text: string) => h('bdi', {}, text)

const PATHS = {
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'M5 12.5l4.5 4.5L19 7',
  chevron: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  compare: 'M4 5h6.5v14H4zM13.5 5H20v14h-6.5z',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
}
export type IconName = keyof typeof PATHS

export function icon(name: IconName): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  setAttributes(svg, {
    viewBox: '0 0 24 24',
    class: `icon icon-${name}`,
    'aria-hidden': 'true',
    focusable: 'false',
  })
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}
