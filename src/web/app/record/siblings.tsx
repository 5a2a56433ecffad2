/** Codes with the same parent, side by side. Words that distinguish them are bold. */
import { useEffect, useState } from 'preact/hooks'
import { HEADING_DIGITS } from '../../../codes/levels.js'
import { rateText, showBadge, showCode, showRanges, showWords, statusText } from '../ui/parts.js'
import { type Surroundings, useSurroundings, wordsIn } from '../ui/surroundings.js'
import type { Range, RecordActions, RecordData, Sibling, WholeRecord } from './data.js'

const SHOWN_FIRST = 8

interface Props {
  here: WholeRecord
  first: RecordData['siblings']
  loadAll: RecordActions['allSiblings'] | undefined
  tellApart: RecordActions['tellApart'] | undefined
}

export function Siblings({ here, first, loadAll, tellApart }: Props) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const [list, setList] = useState(first.items)
  const [isAll, setAll] = useState(false)
  useEffect(() => {
    if (loadAll !== undefined && first.total > first.items.length) loadAll(here, setList)
  }, [loadAll === undefined])
  if (list.length === 0) return <div class="siblings-place" />
  const ranges = tellApart?.(
    list.map(({ description }) => wordsIn(surroundings, description)),
    here.hs_code.length > HEADING_DIGITS,
  )
  const rates = list.map(({ tariff_rate, rate }) => statusText(t, rate) ?? rateText(tariff_rate ?? 0, rate))
  const isRateSame = new Set(rates).size === 1
  // if there are many, show the neighbours of the code on both sides first
  const at = Math.max(
    0,
    list.findIndex(({ hs_code }) => hs_code === here.hs_code),
  )
  const from = Math.max(0, Math.min(at - SHOWN_FIRST / 2, list.length - SHOWN_FIRST))
  return (
    <div class="siblings-place">
      <ul class={isAll ? 'siblings all' : 'siblings'}>
        {list.map((sibling, i) =>
          card(surroundings, sibling, {
            isHere: sibling.hs_code === here.hs_code,
            isLate: i < from || i >= from + SHOWN_FIRST,
            isRateSame,
            ranges: ranges?.[i] ?? [],
          }),
        )}
      </ul>
      <div class="load-more">
        {loadAll !== undefined && !isAll && list.length > SHOWN_FIRST && (
          <button type="button" class="button" onClick={() => setAll(true)}>
            {t.showAll(list.length)}
          </button>
        )}
      </div>
    </div>
  )
}

interface CardState {
  isHere: boolean
  isLate: boolean
  isRateSame: boolean
  ranges: readonly Range[]
}

function card(surroundings: Surroundings, sibling: Sibling, { isHere, isLate, isRateSame, ranges }: CardState) {
  const { t, to } = surroundings
  const { hs_code, description, tariff_rate, rate } = sibling
  return (
    <li key={hs_code} class={isHere ? 'current' : undefined} data-late={isLate ? '' : undefined}>
      <a href={to(`/code/${hs_code}`)} aria-current={isHere ? 'true' : undefined}>
        <span class="sibling-head">
          {showCode(hs_code)}
          {tariff_rate !== null && showBadge(surroundings, tariff_rate, rate, isRateSame)}
        </span>
        {showWords(surroundings, description, showRanges(wordsIn(surroundings, description), ranges, 'b'))}
        {isHere && <span class="current-sign">{t.here}</span>}
      </a>
    </li>
  )
}
