import { compared } from '../data/kept-codes.js'
import { useSurroundings } from '../ui/surroundings.js'

/** A link to the comparison, with the number of chosen codes. Renders nothing if no code is chosen. */
export function CompareLink() {
  const { t, to } = useSurroundings()
  const codes = compared.all().map(({ hs_code }) => hs_code)
  if (codes.length === 0) return null
  return (
    <a class="compare-link" href={to('/compare', { codes: codes.join() })}>
      {t.compareGo(codes.length)}
    </a>
  )
}
