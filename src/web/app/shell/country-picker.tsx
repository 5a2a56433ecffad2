/** The list of countries in the header. The build renders it, and the browser hydrates it. */
import type { Strings } from '../text/strings.js'
import { fill } from '../ui/parts.js'
import { SEARCH_FORM } from '../ui/search-field.js'

interface Props {
  label: string
  /** Names by code, in list order; '' is the common tariff. */
  countries: Strings['countries']
  chosen?: string
  /** False on a server with a default country, which does not offer the common tariff. */
  hasCommon?: boolean
  choose?: (code: string) => void
}

/** The content of the `<label>`. */
export function CountryPicker({ label, countries, chosen = '', hasCommon = true, choose }: Props) {
  return (
    <>
      <span>{label}</span>
      <select
        id="country"
        name="country"
        form={SEARCH_FORM}
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

/** A note below the search box. `missing`: the chosen country, if the dataset does not have it. */
export const CountryNote = ({ t, missing }: { t: Strings; missing: string }) => (
  <p class="country-note" role="status">
    {missing !== '' && fill(t.countryMissing, { country: t.countries[missing] })}
  </p>
)
