/** The list of countries of origin, sorted by name in the page's language. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { ISO_COUNTRIES } from '../../../questions/iso-countries.js'
import { useSurroundings } from '../ui/surroundings.js'

const FREQUENT = ['CN', 'IN', 'US', 'DE', 'JP', 'KR', 'TR', 'IT', 'GB', 'EG', 'AE', 'SA']
const OTHERS = [...ISO_COUNTRIES].filter(code => !FREQUENT.includes(code))

interface Props extends Pick<JSX.IntrinsicElements['select'], 'aria-invalid' | 'aria-describedby'> {
  id: string
  value: string
  choose?: (code: string) => void
}

/** Options in two groups: frequent origins, then all others. */
export function useOrigins() {
  const { lang } = useSurroundings()
  return useMemo(() => {
    const names = new Intl.DisplayNames(lang, { type: 'region' })
    const order = new Intl.Collator(lang)
    const named = (codes: readonly string[]) =>
      codes
        .map(code => ({ code, name: names.of(code) ?? code }))
        .sort((a, b) => order.compare(a.name, b.name))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))
    return { frequent: named(FREQUENT), others: named(OTHERS) }
  }, [lang])
}

export function OriginSelect({ choose, ...props }: Props) {
  const { t } = useSurroundings()
  const options = useOrigins()
  return (
    <select {...props} onChange={event => choose?.(event.currentTarget.value)}>
      <option value="">{t.calcNoOrigin}</option>
      <optgroup label={t.calcOriginFrequent}>{options.frequent}</optgroup>
      <optgroup label={t.calcOriginOthers}>{options.others}</optgroup>
    </select>
  )
}
