import type { Catalog } from '../catalog/catalog.js'
import type { CountryCode } from '../snapshot/country-format.js'
import type { Control, Controls, Description } from './shapes.js'

/**
 * Scope of the controls that apply in all member states; if the request names a country, the country's own controls are added.
 */
const COMMON = ['GCC'] as const

const NOTE: Description = Object.freeze({
  en: 'If no control is listed, that does not mean that there is none; ask the authority in charge before you import.',
  ar: 'عدم ذكر قيد هنا لا يعني عدم وجوده؛ راجع الجهة المختصة قبل الاستيراد.',
})

export function controlsOf(catalog: Catalog, record: number, country?: CountryCode): Controls {
  const { controlReasons, controlSources } = catalog.meta
  const items = catalog.controls.of(record, country === undefined ? COMMON : [...COMMON, country]).map(
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
