/** A view whose code is loaded when it is first shown. Updates that arrive while it loads are applied when it is ready. */
import type { Route } from '../data/address.js'
import { h, replace } from '../dom/dom.js'
import { skeleton } from '../dom/slot.js'
import { troubleView } from '../dom/states.js'
import type { Page, View } from '../shared/page.js'

/** Whether a record or the tree is there that no script has drawn. */
const isRendered = (main: HTMLElement) => main.querySelector(':scope > .record, :scope > .notice, .tree') !== null

/** `load` gets a page of its own, which does nothing any more once the visitor went elsewhere: its code may come later than that. */
export function laterView(page: Page, title: string, load: (page: Page) => Promise<View>): View {
  let view: View | null = null
  let isLeft = false
  const nowhere = h('div')
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
    // what the server rendered stays until the code is there
    if (!isRendered(page.main)) replace(page.main, skeleton(4))
    load(guarded).then(
      loaded => {
        if (isLeft) return loaded.leave?.()
        view = loaded
        page.setTitle(loaded.title)
        if (missed) loaded.update?.(missed.route, missed.isTyped ?? false)
      },
      () => {
        if (!isLeft) replace(page.main, troubleView({ kind: 'offline' }, begin))
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
      view?.leave?.()
    },
  }
}
