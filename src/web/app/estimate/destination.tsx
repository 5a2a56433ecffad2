/** The destination of the goods: the same choice as in the header, next to the amounts. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { country, requestCountry, serverCountry } from '../data/country.js'
import { useSurroundings } from '../ui/surroundings.js'

/** Id of the picker that was used last. A choice rebuilds the page; the focus then returns to this picker. */
let chosenAt = ''

export function DestinationSelect({ id }: { id: string }) {
  const { t } = useSurroundings()
  const select = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    if (chosenAt !== id) return
    chosenAt = ''
    select.current?.focus({ preventScroll: true })
  }, [])
  const choose = (code: string) => {
    chosenAt = id
    requestCountry(code)
  }
  // a server with a default country does not offer the common tariff
  const codes = Object.keys(t.countries).filter(code => code !== '' || serverCountry() === '')
  return (
    <select id={id} ref={select} value={country()} onChange={event => choose(event.currentTarget.value)}>
      {codes.map(code => (
        <option key={code} value={code}>
          {t.countries[code]}
        </option>
      ))}
    </select>
  )
}
