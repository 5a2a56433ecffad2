/** Renders the page of a code that does not exist, with the browser's components. */
import { h } from 'preact'
import { fillText } from '../app/text/written.js'
import { MissingCode, NotCode, type Successors, shownText } from '../app/ui/missing.js'
import { type Look, type RenderedView, renderIn } from './render-parts.js'
import { renderStrings } from './render-strings.js'

export function renderMissing(
  look: Look,
  wanted: string,
  nearest: string,
  movedTo: readonly string[],
  successors: Successors | undefined,
): RenderedView {
  const main = renderIn(look, h(MissingCode, { wanted, nearest, movedTo, successors }))
  const title = fillText(movedTo.length > 0 ? look.t.movedTitle : look.t.missingTitle, { code: wanted })
  return { title, description: fillText(renderStrings[look.lang].missingDescription, { code: wanted }), main }
}

/** `text`: the last part of the address, which is not a code. */
export function renderNotCode(look: Look, text: string): RenderedView {
  const title = fillText(look.t.notCodeTitle, { code: shownText(text) })
  return { title, description: title, main: renderIn(look, h(NotCode, { text })) }
}
