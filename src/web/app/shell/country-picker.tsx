/** The choice of a country in the header. The build renders it into every page, and the browser takes that over. */
import type { Strings } from '../text/strings.js'
import { fill } from '../ui/parts.js'

interface Props {
  label: string
  /** By code, in the order of the list; '' is the common tariff. */
  countries: Strings['countries']
  chosen?: string
  /** A server with a default country has no way back to the common tariff. */
  hasCommon?: boolean
  choose?: (code: string) => void
}

/** Within its label. */
export function CountryPicker({ label, countries, chosen = '', hasCommon = true, choose }: Props) {
  return (
    <>
      <span>{label}</span>
      <select
        id="country"
        class={chosen === '' ? undefined : 'set'}
        autocomplete="off"
        value={choose && chosen}
        onChange={choose && (event => choose(event.currentTarget.value))}
      >
        {Object.entries(countries).map(([code, name]) => (
          <option key={code} value={code} hidden={code === '' && !hasCommon} disabled={code === '' && !hasCommon}>
            {name}
          </option>
        ))}
      </select>
    </>
  )
}

/** Below the search box; `missing` is a country that the dataset does not have. */
export const CountryNote = ({ t, missing }: { t: Strings; missing: string }) => (
  <p class="country-note" role="status">
    {missing !== '' && fill(t.countryMissing, { country: t.countries[missing] })}
  </p>
)
