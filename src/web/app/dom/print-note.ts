/** On paper only: when it was printed, from which data, and where it can be found again. */
import { withCountry } from '../data/country.js'
import { facts } from '../data/facts.js'
import { t } from '../shared/language.js'
import { fillText, h } from './dom.js'

/** In this browser's time zone. */
export function today(): string {
  const now = new Date()
  const two = (n: number) => String(n).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

export function printNote() {
  const element = h('p', { class: 'print-note' })
  const write = async () => {
    const { edition, version } = await facts()
    const date = today()
    const address = location.origin + withCountry(location.pathname)
    element.textContent = version === '' ? `${date} · ${address}` : fillText(t.printed, { date, edition, version, address })
  }
  // the page may have been open since yesterday
  window.addEventListener('beforeprint', write)
  void write()
  return { element, leave: () => window.removeEventListener('beforeprint', write) }
}
