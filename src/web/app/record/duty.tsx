/** The duty rate: which code sets it, its source, and how certain it is. */
import type { RateOrigin } from '../../../answers/shapes.js'
import { fillText } from '../text/written.js'
import { fill, leftToRight, rateText, showCodeLink, showSource, statusText } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

export function Duty({ record: { hs_code, tariff_rate, rate } }: { record: WholeRecord }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const status = statusText(t, rate)
  const country = t.countries[rate.country ?? ''] ?? ''
  const certainty = rate.certainty ?? ''
  return (
    <section class="part part-duty" aria-labelledby="part-duty">
      <h2 id="part-duty">{rate.country === undefined ? t.dutyTitle : fillText(t.dutyTitleIn, { country })}</h2>
      <p class="duty-figure">
        {status ?? leftToRight(rateText(tariff_rate, rate))}
        {status === null && rate.max === 0 && <span class="free">{t.free}</span>}
      </p>
      <StatusNote origin={rate} rate={tariff_rate} country={country} />
      {status === null && rate.min !== rate.max && <p class="warning">{t.rateMixed}</p>}
      <p class={`certainty certainty-${certainty}`}>
        <b>{t.certainty[certainty] ?? certainty}</b> {t.certaintyText[certainty] ?? ''}
      </p>
      {rate.country !== undefined && <ListNote origin={rate} country={country} />}
      <p>{rate.from === hs_code ? t.rateOwn : fill(t.rateFrom, { code: showCodeLink(surroundings, rate.from) })}</p>
      {rate.source !== null && (
        <p class="source">
          <span class="tongue">{t.source}</span>
          {showSource(surroundings, rate.source)}
        </p>
      )}
    </section>
  )
}

function StatusNote({ origin, rate, country }: { origin: RateOrigin; rate: number; country: string }) {
  const { t } = useSurroundings()
  if (origin.status === 'normal') return null
  const text = origin.status === 'prohibited' ? t.rateProhibited : t.rateUnknown
  return <p class="warning">{fill(text, { country, rate: leftToRight(rateText(rate)) })}</p>
}

/** Names the country's list that has the rate. If no list has it, the rate comes from the common tariff. */
function ListNote({ origin: { list, date }, country }: { origin: RateOrigin; country: string }) {
  const { t } = useSurroundings()
  if (!list) return <p class="rate-list">{fill(t.rateCommon, { country })}</p>
  const parts = { country, list: leftToRight(list), date: leftToRight(date ?? list) }
  return <p class="rate-list">{fill(t.rateList, parts)}</p>
}
