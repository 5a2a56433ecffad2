/** Where the goods go: the same choice as in the header, at the place where amounts are entered. */
import { country, requestCountry, serverCountry } from '../data/country.js'
import { h } from '../dom/dom.js'
import { t } from '../shared/language.js'

/** A choice builds the page again; the focus stays on the picker. */
let chosenAt = ''

export function destinationSelect(id: string): HTMLSelectElement {
  const codes = Object.keys(t.countries).filter(code => code !== '' || serverCountry() === '')
  const select = h(
    'select',
    { id },
    codes.map(code => h('option', { value: code, selected: code === country() }, t.countries[code])),
  )
  select.addEventListener('change', () => {
    chosenAt = id
    requestCountry(select.value)
  })
  if (chosenAt === id) {
    chosenAt = ''
    // it is on the page once the view that asked for it is
    queueMicrotask(() => select.focus({ preventScroll: true }))
  }
  return select
}
