/** A row in the table: its words, its code, its status, its amounts. */
import { useMemo } from 'preact/hooks'
import { fillText } from '../text/written.js'
import { fill, Icon, leftToRight, showBadge, showCode, showWords } from '../ui/parts.js'
import { useSurroundings, wordsIn } from '../ui/surroundings.js'
import { CodeCell } from './code-cell.js'
import { Details } from './row-details.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Field } from './state.js'
import type { Actions } from './use-shipment.js'
import { amountText, chosenOf, type ShownRow } from './view-rows.js'

interface Props {
  shown: ShownRow
  isOpen: boolean
  toggle: (id: number, isOpen: boolean) => void
  actions: Actions
}

/** Rendered again only if its content has changed, because a shipment may have a thousand rows. */
export function RowView({ shown, isOpen, toggle, actions }: Props) {
  const surroundings = useSurroundings()
  const { lang } = surroundings
  return useMemo(() => {
    const s = shipmentStrings[lang]
    const { row, number, code, currency, problem, rate, amounts } = shown
    const { id } = row
    const complaintId = problem === null ? undefined : `ship-${id}-complaint`
    const isBad = (field: Field) => problem?.field === field
    const figure = (exact: string | undefined) => exact !== undefined && leftToRight(amountText(exact, currency))
    return (
      <>
        <tr class={isOpen ? 'ship-row open' : 'ship-row'} aria-rowindex={number + 1} data-row={id} data-group={shown.group}>
          <td class="ship-no">
            <button
              type="button"
              class="quiet ship-toggle"
              aria-expanded={isOpen}
              aria-label={s.open(number)}
              data-field="toggle"
              onClick={() => toggle(id, !isOpen)}
            >
              <Icon name="chevron" />
              <span aria-hidden="true">{number}</span>
            </button>
          </td>
          <td class="ship-words">{shown.words === '' ? <span class="hint">{s.noWordsGiven}</span> : <bdi>{shown.words}</bdi>}</td>
          <td class="ship-code" data-label={s.code}>
            <CodeCell
              name={`ship-${id}`}
              label={s.inRow(s.code, number)}
              code={code}
              isInvalid={isBad('code')}
              complaintId={isBad('code') ? complaintId : undefined}
              edit={text => actions.edit(id, 'code', text)}
              choose={one => actions.choose(id, chosenOf(one, 'typed'))}
            />
          </td>
          <td class="ship-status">
            <Status shown={shown} actions={actions} />
          </td>
          <td class="ship-rate" data-label={s.rate}>
            {rate !== null && showBadge(surroundings, rate)}
          </td>
          <td class="ship-value" data-label={s.value}>
            <input
              type="text"
              dir="ltr"
              inputMode="decimal"
              autocomplete="off"
              maxLength={60}
              data-field="value"
              aria-label={s.inRow(s.value, number)}
              aria-invalid={isBad('value') || undefined}
              aria-describedby={isBad('value') ? complaintId : undefined}
              value={row.text.value}
              onInput={event => actions.edit(id, 'value', event.currentTarget.value)}
            />
          </td>
          <td class="ship-figure" data-label={s.charges}>
            {figure(amounts?.total_duties_taxes)}
          </td>
          <td class="ship-figure ship-landed" data-label={s.landed}>
            {figure(amounts?.landed_cost)}
          </td>
        </tr>
        {isOpen && (
          <tr data-more={id}>
            <td colSpan={8}>
              <Details shown={shown} actions={actions} />
            </td>
          </tr>
        )}
      </>
    )
  }, [shown, isOpen, actions, surroundings])
}

/** What the row still needs, or its certainty. A correction is shown with its reason and can be accepted here. */
function Status({ shown, actions }: { shown: ShownRow; actions: Actions }) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  const { row, number, statusText, correction, problem } = shown
  const { id } = row
  const given = row.choice?.instead ?? ''
  return (
    <>
      <span class="ship-status-text" id={problem === null ? undefined : `ship-${id}-complaint`}>
        {statusText}
      </span>
      {problem?.ways && (
        <span class="ways">
          {problem.ways.map(({ text, label }) => (
            <button key={text} type="button" class="button" onClick={() => actions.edit(id, problem.field, text)}>
              <span>{fill(label, { amount: leftToRight(text) })}</span>
            </button>
          ))}
        </span>
      )}
      {correction !== null && (
        <span class="ship-proposed" data-certainty={correction.certainty}>
          <button
            type="button"
            class="button ship-accept"
            aria-label={`${fillText(s.acceptCode, { code: correction.candidate.hs_code })}, ${s.acceptInRow(number)}`}
            onClick={() => actions.accept(id, correction.candidate)}
          >
            {fill(s.acceptCode, { code: showCode(correction.candidate.hs_code) })}
          </button>
          <small title={wordsIn(surroundings, correction.candidate.description)}>
            {correction.why}
            {correction.why !== '' && correction.candidate.description.en !== '' && ': '}
            {showWords(surroundings, correction.candidate.description)}
          </small>
        </span>
      )}
      {row.choice !== null && (
        <button
          type="button"
          class="quiet ship-undo"
          aria-label={s.undoInRow(number)}
          title={given === '' ? s.insteadOfNone : fillText(s.instead, { code: given })}
          onClick={() => actions.undo(id)}
        >
          {s.undo}
        </button>
      )}
    </>
  )
}
