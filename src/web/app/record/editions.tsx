/** The matching codes in earlier editions and in the next one. */
import { SUBHEADING_DIGITS, subheadingOf } from '../../../codes/levels.js'
import { leftToRight, showCode } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

/** The next edition is not in force yet, so its codes have no pages. */
const COMING = '2028'

export function Editions({ record: { hs_code, editions } }: { record: WholeRecord }) {
  const { t, to } = useSurroundings()
  if (hs_code.length < SUBHEADING_DIGITS) return <p class="hint">{t.editionShort}</p>
  const own = subheadingOf(hs_code)
  const codesOf = (edition: string, codes: readonly string[]) => {
    if (codes.length === 0) return t.editionNone
    if (codes.length === 1 && codes[0] === own) return t.editionSame
    return codes.map(one =>
      edition === COMING ? (
        <span key={one} class="chip">
          {showCode(one)}
        </span>
      ) : (
        <a key={one} class="chip" href={to(`/code/${one}`)}>
          {showCode(one)}
        </a>
      ),
    )
  }
  return (
    <dl class="editions">
      {rowsOf(editions).map(({ first, last, codes }) => [
        <dt key={last}>
          {leftToRight(first === last ? `HS ${last}` : `HS ${first}–${last}`)}
          {last === COMING && ` ${t.provisional}`}
        </dt>,
        <dd key={`${last} codes`}>{codesOf(last, codes)}</dd>,
      ])}
    </dl>
  )
}

interface Row {
  first: string
  last: string
  codes: readonly string[]
}

/** The rows, latest edition first. Consecutive editions with the same codes share a row. */
export function rowsOf(editions: WholeRecord['editions']): Row[] {
  const rows: Row[] = []
  // numeric keys come in ascending order
  for (const [edition, codes] of Object.entries(editions).reverse()) {
    const before = rows.at(-1)
    if (before !== undefined && before.last !== COMING && before.codes.join() === codes.join()) before.first = edition
    else rows.push({ first: edition, last: edition, codes })
  }
  return rows
}
