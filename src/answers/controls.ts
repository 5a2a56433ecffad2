import type { Catalog } from '../catalog/catalog.js'
import type { Control, Controls, Description } from './shapes.js'

/** The controls of all member states, which are answered where no country is named. */
const SCOPE = 'GCC'

const NOTE: Description = Object.freeze({
  en: 'If no control is listed, that does not mean that there is none; ask the authority in charge before you import.',
  ar: 'عدم ذكر قيد هنا لا يعني عدم وجوده؛ راجع الجهة المختصة قبل الاستيراد.',
})

export function controlsOf(catalog: Catalog, record: number): Controls {
  const { controlReasons, controlSources } = catalog.meta
  const items = catalog.controls.of(record, SCOPE).map(
    ({ scope, kind, authority, reason, source, date, certainty }): Control => ({
      scope,
      kind,
      authority: authority === '' ? null : authority,
      reason: controlReasons[reason],
      source: controlSources[source],
      date,
      certainty,
    }),
  )
  return { items, note: NOTE }
}
