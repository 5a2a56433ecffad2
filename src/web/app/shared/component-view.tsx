/** Turns a component into a view. The shell passes each address of the page to the view. */
import { type ComponentType, h, hydrate, render } from 'preact'
import type { Route } from '../data/address.js'
import { Surrounded } from '../ui/surroundings.js'
import { OnPage, type Page, type View } from './page.js'
import { surroundings } from './surroundings.js'

export interface PageProps<R extends Route> {
  route: R
  /** Whether the visitor is still typing the text that this address contains. */
  isTyped: boolean
}

/** `isRendered`: `main` contains the server's HTML of this component for the same data. */
export function componentView<R extends Route>(
  page: Page,
  Component: ComponentType<PageProps<R>>,
  first: R,
  isRendered = false,
): View {
  const { main } = page
  const shown = (route: R, isTyped: boolean) =>
    h(Surrounded, { value: surroundings() }, h(OnPage, { value: page }, h(Component, { route, isTyped })))
  if (isRendered) hydrate(shown(first, false), main)
  else {
    main.replaceChildren()
    render(shown(first, false), main)
  }
  return {
    title: '',
    update: (route, isTyped = false) => {
      if (route.page !== first.page) return false
      render(shown(route as R, isTyped), main)
      return true
    },
    leave: () => render(null, main),
  }
}
