/** Where the goods go: the same choice as in the header, at the place where amounts are entered. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { country, requestCountry, serverCountry } from '../data/country.js'
import { mounted } from '../shared/mounted.js'
import { useSurroundings } from '../ui/surroundings.js'

/** A choice builds the page again; the focus stays on the picker. */
let chosenAt = ''

export function DestinationSelect({ id }: { id: string }) {
  const { t } = useSurroundings()
  const select = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    if (chosenAt !== id) return
    chosenAt = ''
    // an element of the old kit is put on the page after it is made
    queueMicrotask(() => select.current?.focus({ preventScroll: true }))
  }, [])
  const choose = (code: string) => {
    chosenAt = id
    requestCountry(code)
  }
  // a server with a default country has no way back to the common tariff
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

export const destinationSelect = (id: string) => mounted(<DestinationSelect id={id} />).firstElementChild as HTMLSelectElement
