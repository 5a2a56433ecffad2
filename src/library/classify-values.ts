import { classifiedJson } from '../answers/classified.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { type ClassifyItem, classify, readItem, readTerms, type SharedTerms } from '../questions/classify.js'
import { invalidParameter, type Refusal, refuseUnknown } from '../questions/refusal.js'
import { answerOrThrow } from './check-arguments.js'
import { CLASSIFY_ITEM } from './option-names.js'
import type { Classified, ClassifyOptions, TextOptions } from './values.js'

export function classifiedText(catalog: Catalog, text: string, options: TextOptions, view: CountryView | undefined): Classified {
  const { level, limit, within, hs_code } = options
  const item = answerOrThrow(readItem(catalog, { text, within, hs_code }, answerOrThrow(readTerms(level, limit))))
  return frozenValue(catalog, item, view)
}

export function classifiedItems(
  catalog: Catalog,
  sent: readonly unknown[],
  { level, limit }: ClassifyOptions,
  view: CountryView | undefined,
): readonly Classified[] {
  const terms = answerOrThrow(readTerms(level, limit))
  // all items are read before the first is classified
  const items = Array.from(sent, (one, i) =>
    answerOrThrow(readNumberedItem(catalog, typeof one === 'string' ? { text: one } : one, i, terms)),
  )
  return Object.freeze(items.map(item => frozenValue(catalog, item, view)))
}

/** Reads one item of a list; a refusal names its position. */
function readNumberedItem(catalog: Catalog, sent: unknown, place: number, terms: SharedTerms): ClassifyItem | Refusal {
  const name = `items[${place}]`
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return invalidParameter(name, 'must be an object with text')
  return refuseUnknown(sent, Object.keys(CLASSIFY_ITEM), `${name}.`) ?? readItem(catalog, sent, terms, `${name}.`)
}

/** The answer that HTTP returns, as a frozen value. */
function frozenValue(catalog: Catalog, item: ClassifyItem, view: CountryView | undefined): Classified {
  return JSON.parse(classifiedJson(catalog, classify(catalog, item), view), (_, value) => Object.freeze(value))
}
