/** A view whose code is loaded when it is first shown. Updates that arrive while it loads are applied when it is ready. */
import { render } from 'preact'
import type { Route } from '../data/address.js'
import { renderIn } from '../shared/mounted.js'
import { Skeleton, TroubleNotice } from '../shared/notices.js'
import type { Page, View } from '../shared/page.js'

/** Whether `main` contains a record, a notice or the tree from the server. */
const isRendered = (main: HTMLElement) => main.querySelector(':scope > .record, :scope > .notice, .tree') !== null

/** The code may arrive after the visitor has left. The page object that `load` gets does nothing from then on. */
export function laterView(page: Page, title: string, load: (page: Page) => Promise<View>): View {
  let view: View | null = null
  let isLeft = false
  const nowhere = document.createElement('div')
  /** Shows a skeleton while the code loads, or an error. */
  const place = document.createElement('div')
  const guarded: Page = {
    ...page,
    get main() {
      return isLeft ? nowhere : page.main
    },
    setTitle: shown => {
      if (!isLeft) page.setTitle(shown)
    },
  }
  let missed: { route: Route; isTyped: boolean | undefined } | null = null
  const begin = () => {
    // content from the server stays until the code is loaded
    if (!isRendered(page.main)) {
      renderIn(place, <Skeleton lines={4} />)
      page.main.replaceChildren(place)
    }
    load(guarded).then(
      loaded => {
        if (isLeft) return loaded.leave?.()
        render(null, place)
        view = loaded
        page.setTitle(loaded.title)
        if (missed) loaded.update?.(missed.route, missed.isTyped ?? false)
      },
      () => {
        if (isLeft) return
        renderIn(place, <TroubleNotice trouble={{ kind: 'offline' }} again={begin} />)
        page.main.replaceChildren(place)
      },
    )
  }
  begin()
  return {
    get title() {
      return view?.title ?? title
    },
    update: (route, isTyped) => {
      if (view) return view.update?.(route, isTyped) ?? false
      missed = { route, isTyped }
      return true
    },
    leave: () => {
      isLeft = true
      // remove an error notice, which would keep trying to load
      render(null, place)
      view?.leave?.()
    },
  }
}
