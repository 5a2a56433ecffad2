/** Why a result is there, where its description does not show it: the everyday name that matched. */
import type { Code } from '../api.js'
import { type Child, fill, h } from '../dom.js'
import { t } from '../language.js'
import type { Marker } from '../mark.js'
import { inLang } from '../parts.js'
import { stemmer } from '../stemmer.js'

function markedStems(marker: Marker, text: string): Set<string> {
  const marks = marker.mark(text).filter(piece => piece instanceof HTMLElement)
  return new Set(marks.flatMap(mark => stemmer.terms(mark.textContent ?? '')))
}

export function matched({ matched: name, description }: Code, marker: Marker): Child {
  if (!name) return null
  const named = markedStems(marker, name.text)
  const described = new Set([description.en, description.ar].flatMap(text => [...markedStems(marker, text)]))
  // a synonym has no word of the query; it explains a result whose description has none either
  const isShown = named.size > 0 ? [...named].some(stem => !described.has(stem)) : described.size === 0
  if (!isShown) return null
  const words = { en: name.text, ar: name.text }
  return h('p', { class: 'matched' }, fill(t.matched, { name: inLang(words, name.lang, marker.mark(name.text)) }))
}
