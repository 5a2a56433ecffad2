/** Countries of origin, by their names in the page's language. */
import { ISO_COUNTRIES } from '../../../questions/iso-countries.js'
import { h } from '../dom/dom.js'
import { lang, t } from '../shared/language.js'

const FREQUENT = ['CN', 'IN', 'US', 'DE', 'JP', 'KR', 'TR', 'IT', 'GB', 'EG', 'AE', 'SA']

export function originSelect(id: string, asked: string): HTMLSelectElement {
  const names = new Intl.DisplayNames(lang, { type: 'region' })
  const order = new Intl.Collator(lang)
  const options = (codes: readonly string[]) =>
    codes
      .map(code => ({ code, name: names.of(code) ?? code }))
      .sort((a, b) => order.compare(a.name, b.name))
      .map(({ code, name }) => h('option', { value: code, selected: code === asked }, name))
  const others = [...ISO_COUNTRIES].filter(code => !FREQUENT.includes(code))
  return h(
    'select',
    { id },
    h('option', { value: '' }, t.calcNoOrigin),
    h('optgroup', { label: t.calcOriginFrequent }, options(FREQUENT)),
    h('optgroup', { label: t.calcOriginOthers }, options(others)),
  )
}
