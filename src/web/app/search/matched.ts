/** Why a result is there, where its description does not show it: the everyday name that matched. */
import type { Code } from '../data/api.js'
import { type Child, fill, h, markedPieces } from '../dom/dom.js'
import { inLang } from '../dom/parts.js'
import { t } from '../shared/language.js'
import type { Marker } from '../text/mark.js'
import { stemmer } from '../text/stemmer.js'

function markedStems(marker: Marker, text: string): Set<string> {
  const marks = marker.pieces(text).filter(({ isMarked }) => isMarked)
  return new Set(marks.flatMap(({ text }) => stemmer.terms(text)))
}

export function matched({ matched: name, description }: Code, marker: Marker): Child {
  if (!name) return null
  const named = markedStems(marker, name.text)
  const described = new Set([description.en, description.ar].flatMap(text => [...markedStems(marker, text)]))
  // a synonym has no word of the query; it explains a result whose description has none either
  const isShown = named.size > 0 ? [...named].some(stem => !described.has(stem)) : described.size === 0
  if (!isShown) return null
  const words = { en: name.text, ar: name.text }
  return h('p', { class: 'matched' }, fill(t.matched, { name: inLang(words, name.lang, markedPieces(marker.pieces(name.text))) }))
}
