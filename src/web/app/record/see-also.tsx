/** Goods that people look for under this code but that belong to another code, with links. */

import { showCode, showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

type Pointers = WholeRecord['see_also']['items']

const SHOWN_FIRST = 6

export function SeeAlso({ pointers }: { pointers: Pointers }) {
  const { t } = useSurroundings()
  const rest = pointers.slice(SHOWN_FIRST)
  return (
    <>
      <List pointers={pointers.slice(0, SHOWN_FIRST)} />
      {rest.length > 0 && (
        <details class="more-pointers">
          <summary>{t.morePointers(rest.length)}</summary>
          <List pointers={rest} />
        </details>
      )}
    </>
  )
}

function List({ pointers }: { pointers: Pointers }) {
  const surroundings = useSurroundings()
  const { to } = surroundings
  return (
    <ul class="codes pointers">
      {pointers.map(({ what, hs_code, description }) => (
        <li key={`${hs_code} ${what.en}`}>
          <a href={to(`/code/${hs_code}`)}>
            <b>{showWords(surroundings, what)}</b>
            {showCode(hs_code)}
            {showWords(surroundings, description)}
          </a>
        </li>
      ))}
    </ul>
  )
}
