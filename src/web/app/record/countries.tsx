/** Duty, VAT, excise and controls for a code in the six states, side by side. */
import type { CountryTerms, ExciseTerm } from '../../../answers/shapes.js'
import { figure, rateRange } from '../text/written.js'
import { showKinds } from '../ui/controls.js'
import { leftToRight, Part, showBadge, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

export function CountryTable({ record }: { record: WholeRecord }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { countries, rate } = record
  if (countries.length === 0) return null
  const titles = [t.countryColumn, t.dutyColumn, t.vatColumn, t.exciseColumn, t.controlsTitle, t.certaintyColumn]
  return (
    <Part name="countries" title={t.countriesTitle} text={t.countriesText}>
      <section class="scrolls" aria-label={t.countriesTable} tabindex={0}>
        <table class="countries">
          <thead>
            <tr>
              {titles.map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {countries.map(terms => showCountry(surroundings, record.hs_code, terms, terms.country === rate.country))}
          </tbody>
        </table>
      </section>
    </Part>
  )
}

function showCountry(surroundings: Surroundings, code: string, terms: CountryTerms, isChosen: boolean) {
  const { t, to } = surroundings
  const { country, rate } = terms
  return (
    <tr key={country} aria-current={isChosen ? 'true' : undefined}>
      <th scope="row">
        <a href={to(`/code/${code}`, { country })}>{t.countries[country] ?? country}</a>
      </th>
      <td>{showBadge(surroundings, terms.tariff_rate, rate)}</td>
      <td>{showVat(surroundings, terms)}</td>
      <td>{showExcise(surroundings, terms)}</td>
      <td>{terms.controls.length === 0 ? <span class="hint">{t.noneListed}</span> : showKinds(t, terms.controls)}</td>
      <td>{t.certainty[rate.certainty ?? ''] ?? t.notStated}</td>
    </tr>
  )
}

const showVat = ({ t }: Surroundings, { vat_rate, vat_may_differ }: CountryTerms) => (
  <>
    {leftToRight(rateRange(vat_rate, vat_rate))}
    {vat_may_differ && <span class="hint"> {t.mayDiffer}</span>}
  </>
)

function showExcise(surroundings: Surroundings, { excise, taxes_differ }: CountryTerms) {
  const { t } = surroundings
  const differs = taxes_differ && <span class="hint"> · {t.dependsOnLine}</span>
  const [first] = excise
  if (first === undefined)
    return taxes_differ ? <span class="hint">{t.dependsOnLine}</span> : <span class="hint">{t.noExcise}</span>
  return (
    <>
      {leftToRight(exciseText(surroundings, excise))} <span class="hint">{showWords(surroundings, first.goods)}</span>
      {excise.some(({ applies }) => applies === 'perhaps') && <span class="hint"> {t.mayApply}</span>}
      {differs}
    </>
  )
}

/** Tiers as a range: `0–1.09 AED / l`. */
function exciseText({ t }: Surroundings, excise: readonly ExciseTerm[]): string {
  const rates = excise.flatMap(({ rate }) => (rate === null ? [] : [rate]))
  if (rates.length > 0) return rateRange(Math.min(...rates), Math.max(...rates))
  const amounts = excise.flatMap(({ unit_amount }) => (unit_amount === null ? [] : [unit_amount]))
  const [from, to] = [Math.min(...amounts), Math.max(...amounts)]
  const [{ currency, unit }] = excise as [ExciseTerm]
  return `${from === to ? figure(from) : `${figure(from)}–${figure(to)}`} ${currency} / ${t.taxUnits[unit ?? ''] ?? ''}`
}
