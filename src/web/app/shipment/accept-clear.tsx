/** Buttons that show and then accept all clear proposals, undo choices, and compare words with codes. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../shared/announce.js'
import { showCode, showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { Clear } from './row.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Actions } from './use-shipment.js'

interface Props {
  clear: readonly Clear[]
  /** Number of choices that can be undone. */
  chosen: number
  /** Number of rows whose words and code have not been compared. */
  comparable: number
  numberOf: (id: number) => number
  actions: Actions
}

export function AcceptClear({ clear, chosen, comparable, numberOf, actions }: Props) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  const [isAsking, setAsking] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  const undo = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isAsking) first.current?.focus()
  }, [isAsking])
  if (clear.length === 0 && chosen === 0 && comparable === 0) return null
  const accept = () => {
    setAsking(false)
    actions.acceptClear()
    announce(s.accepted(clear.length))
    // the button that was pressed no longer exists
    requestAnimationFrame(() => undo.current?.focus())
  }
  return (
    <>
      <div class="row">
        {clear.length > 0 && !isAsking && (
          <button type="button" class="button button-strong ship-accept-all" onClick={() => setAsking(true)}>
            {s.acceptClear(clear.length)}
          </button>
        )}
        {comparable > 0 && (
          <button type="button" class="button ship-compare" title={s.compareHint} onClick={() => actions.compare()}>
            {s.compare(comparable)}
          </button>
        )}
        {chosen > 0 && (
          <button
            ref={undo}
            type="button"
            class="button ship-undo-all"
            onClick={() => {
              actions.undoAll()
              announce(s.undone)
            }}
          >
            {s.undoAll(chosen)}
          </button>
        )}
      </div>
      {isAsking && clear.length > 0 && (
        <section class="ship-card ship-clear" aria-label={s.clearTitle(clear.length)}>
          <h2>{s.clearTitle(clear.length)}</h2>
          {/* long lists scroll, by keyboard as well */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
          <ul tabIndex={0} aria-label={s.clearTitle(clear.length)}>
            {clear.map(({ row, candidate }) => (
              <li key={row.id}>
                <span>{numberOf(row.id)}</span>
                <bdi>{row.text.words || row.text.code}</bdi>
                <span>
                  {showCode(candidate.hs_code)} {showWords(surroundings, candidate.description)}
                </span>
              </li>
            ))}
          </ul>
          <p class="hint">{s.honest}</p>
          <div class="row">
            <button ref={first} type="button" class="button button-strong ship-accept-these" onClick={accept}>
              {s.clearGo(clear.length)}
            </button>
            <button type="button" class="button" onClick={() => setAsking(false)}>
              {s.clearNot}
            </button>
          </div>
        </section>
      )}
    </>
  )
}
