/** The choice of a country in the header. */
import { country, lastRefused, serverCountry } from '../data/country.js'
import { fill, h, replace } from '../dom/dom.js'
import { t } from '../shared/language.js'

export class CountryPicker {
  readonly note = h('p', { class: 'country-note', role: 'status' })
  readonly #select: HTMLSelectElement

  constructor(select: HTMLElement, choose: (code: string) => void) {
    this.#select = select as HTMLSelectElement
    select.addEventListener('change', () => choose(this.#select.value))
  }

  show(): void {
    const code = country()
    const common = this.#select.querySelector<HTMLOptionElement>('[value=""]')
    // a server with a default country has no way back to the common tariff
    if (common) common.hidden = common.disabled = serverCountry() !== ''
    this.#select.value = code
    this.#select.classList.toggle('set', code !== '')
    const missing = code === '' ? lastRefused() : ''
    replace(this.note, missing !== '' && fill(t.countryMissing, { country: t.countries[missing] }))
  }
}
