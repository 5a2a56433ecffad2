/**
 * The details of an opened row: candidates, the question that decides between them, lines, quantities, origin, and the permits
 * for its line.
 */
import { useEffect, useState } from 'preact/hooks'
import type { Candidate } from '../../../answers/shapes.js'
import type { Answer } from '../data/answer.js'
import { ask, type Code } from '../data/api.js'
import { query } from '../data/query.js'
import { OriginNote } from '../estimate/country-estimate.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { Skeleton } from '../shared/notices.js'
import { grouped } from '../text/amounts.js'
import { likelihoodOf, scoreText } from '../text/score-strings.js'
import { ControlItems } from '../ui/controls.js'
import { Field } from '../ui/field.js'
import { fill, leftToRight, showBadge, showCode, showWords } from '../ui/parts.js'
import { useSurroundings, wordsIn } from '../ui/surroundings.js'
import { shipmentStrings } from './shipment-strings.js'
import { ORIGINS_ID } from './terms.js'
import type { Actions } from './use-shipment.js'
import { amountText, chosenOf, type ShownRow, splitMeasure } from './view-rows.js'

const LINES_MAX = 50

interface Props {
  shown: ShownRow
  actions: Actions
}

export function Details({ shown, actions }: Props) {
  const surroundings = useSurroundings()
  const { lang, to } = surroundings
  const s = shipmentStrings[lang]
  const { row, number, code, description, needsLine } = shown
  const { id } = row
  return (
    <section class="ship-more" aria-label={s.open(number)}>
      {shown.words !== '' && (
        <p class="ship-full">
          <bdi>{shown.words}</bdi>
        </p>
      )}
      {code !== '' && description !== null && (
        <p>
          <a href={to(`/code/${code}`)}>{fill(s.openRecord, { code: showCode(code) })}</a> {showWords(surroundings, description)}
        </p>
      )}
      {shown.note !== '' && <p class="hint">{shown.note}</p>}
      <Perhaps shown={shown} actions={actions} />
      <Proposals shown={shown} actions={actions} />
      {needsLine && <Lines key={code} code={code} shown={shown} actions={actions} />}
      <Extra shown={shown} actions={actions} />
      {code !== '' && !needsLine && shown.exists && <Controls key={code} code={code} />}
      <div class="row">
        <button type="button" class="button ship-remove" onClick={() => actions.remove(id)}>
          {s.remove(number)}
        </button>
      </div>
    </section>
  )
}

/** The codes that the visitor may have meant by an unknown or ambiguous code. */
function Perhaps({ shown, actions }: Props) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const { row, alternatives } = shown
  if (alternatives.length === 0) return null
  return (
    <div class="ship-perhaps">
      <h3>{s.perhaps}</h3>
      <div class="ship-answers">
        {alternatives.map(code => (
          <button key={code} type="button" class="button" onClick={() => actions.edit(row.id, 'code', code)}>
            <span>{fill(s.chooseCode, { code: showCode(code) })}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

function Proposals({ shown, actions }: Props) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  const { row, candidates, question } = shown
  const { id } = row
  if (candidates.length === 0 && question === null && row.steps.length === 0) return null
  return (
    <div class="ship-proposals">
      {question !== null && (
        <div class="ship-question">
          <h3>{showWords(surroundings, question.text)}</h3>
          <div class="ship-answers">
            {question.answers.map(({ text, within }) => (
              <button key={within.join()} type="button" class="button button-strong" onClick={() => actions.answer(id, within)}>
                {showWords(surroundings, text)}
              </button>
            ))}
          </div>
        </div>
      )}
      {row.steps.length > 0 && (
        <button type="button" class="button" onClick={() => actions.takeBack(id)}>
          {s.takeBack}
        </button>
      )}
      {candidates.length > 0 && (
        <>
          <h3>{s.candidates}</h3>
          <ul class="ship-candidates">
            {candidates.map(one => (
              <Proposed key={one.hs_code} candidate={one} accept={() => actions.accept(id, one)} />
            ))}
          </ul>
          <p class="hint">{s.honest}</p>
        </>
      )}
    </div>
  )
}

function Proposed({ candidate, accept }: { candidate: Candidate; accept: () => void }) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  const { hs_code, description, tariff_rate, score } = candidate
  return (
    <li data-certainty={likelihoodOf(score)}>
      <span>
        <a href={surroundings.to(`/code/${hs_code}`)}>{showCode(hs_code)}</a> {showBadge(surroundings, tariff_rate)}{' '}
        {showWords(surroundings, description)}
        <span class="hint">{scoreText(surroundings.lang, score)}</span>
      </span>
      <button type="button" class="button" onClick={accept}>
        <span>{fill(s.chooseCode, { code: showCode(hs_code) })}</span>
      </button>
    </li>
  )
}

/** The lines at or below a code, fifty at a time. */
function Lines({ code, shown, actions }: Props & { code: string }) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  const [offset, setOffset] = useState(0)
  const [known, setKnown] = useState<readonly Code[]>([])
  const asked = useAnswer<Code[]>(
    query(`hs-codes/${code}/lines`, { limit: LINES_MAX, offset }),
    (path, signal): Promise<Answer<Code[]>> => ask(path, { signal }),
  )
  const { answer } = asked
  useEffect(() => {
    if (answer !== undefined) setKnown(before => [...before.slice(0, offset), ...answer.data])
  }, [answer])
  return (
    <div class="ship-lines">
      <h3>{s.lines}</h3>
      <Answered asked={asked} waiting={known.length === 0 ? <Skeleton lines={3} /> : undefined}>
        {(_, { meta }) => (
          <>
            <ul class="ship-candidates">
              {known.map(one => (
                <li key={one.hs_code}>
                  <span>
                    {showCode(one.hs_code)} {showBadge(surroundings, one.tariff_rate)} {showWords(surroundings, one.description)}
                  </span>
                  <button
                    type="button"
                    class="button ship-line"
                    onClick={() => actions.choose(shown.row.id, chosenOf(one, 'line'))}
                  >
                    <span>{fill(s.chooseCode, { code: showCode(one.hs_code) })}</span>
                  </button>
                </li>
              ))}
            </ul>
            {meta.total > known.length && known.length > 0 && (
              <button type="button" class="button" onClick={() => setOffset(known.length)}>
                {s.moreLines}
              </button>
            )}
          </>
        )}
      </Answered>
    </div>
  )
}

/** Fields for the quantity, the quantity in the unit by which excise is charged, sugar, and origin. */
function Extra({ shown, actions }: Props) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const { row, number, asks, result, bareQuantity, lacksExcise, problem, hasCountry } = shown
  const { id, text } = row
  const [measure] = splitMeasure(text.measure)
  const unit = asks?.unit ?? ''
  const input = (
    name: 'quantity' | 'origin' | 'measure' | 'sugar',
    label: string,
    value: string,
    change: (text: string) => void,
  ) => {
    const isBad = problem?.field === name
    const inputId = `ship-${id}-${name}`
    return (
      <Field id={inputId} label={label}>
        <input
          type="text"
          id={inputId}
          dir={name === 'measure' || name === 'sugar' ? 'ltr' : 'auto'}
          inputMode={name === 'measure' || name === 'sugar' ? 'decimal' : undefined}
          list={name === 'origin' ? ORIGINS_ID : undefined}
          autocomplete="off"
          maxLength={60}
          aria-label={s.inRow(label, number)}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? `ship-${id}-complaint` : undefined}
          data-field={name}
          value={value}
          onInput={event => change(event.currentTarget.value)}
        />
      </Field>
    )
  }
  const edit = (name: 'quantity' | 'origin' | 'sugar') => (value: string) => actions.edit(id, name, value)
  const charge = result?.charges?.find(({ kind, unit: by }) => kind === 'excise' && by !== null)
  const warnings = result?.warnings ?? []
  return (
    <>
      <div class="ship-extra">
        {input('quantity', s.quantity, text.quantity, edit('quantity'))}
        {hasCountry && input('origin', s.originOfRow, text.origin, edit('origin'))}
        {unit !== '' &&
          input('measure', s.exciseQuantity[unit] ?? '', measure, value =>
            actions.edit(id, 'measure', value.trim() === '' ? '' : `${value} ${unit}`),
          )}
        {asks?.sugar === true && input('sugar', s.sugar, text.sugar, edit('sugar'))}
      </div>
      {lacksExcise && asks !== null && (
        <div class="warning">
          <p>{asks.sugar ? s.needsSugar : s.needsQuantity[unit]}</p>
          {bareQuantity !== null && (
            <div class="ways">
              <p>{fill(s.isQuantity[unit] ?? '', { amount: leftToRight(grouped(bareQuantity)) })}</p>
              <button type="button" class="button" onClick={() => actions.edit(id, 'measure', `${bareQuantity} ${unit}`)}>
                {s.yesQuantity}
              </button>
            </div>
          )}
        </div>
      )}
      {!lacksExcise && charge && <p>{fill(s.exciseOn[unit] ?? '', { amount: leftToRight(grouped(charge.basis)) })}</p>}
      <Charges shown={shown} />
      {warnings.length > 0 && (
        <ul class="ship-notes">
          {warnings.map(one => (
            <li key={one.en}>{one[lang] || one.en}</li>
          ))}
        </ul>
      )}
      {result?.origin && <OriginNote data={{ origin: result.origin }} />}
    </>
  )
}

/** The charges of one row, rounded as in the totals. */
function Charges({ shown }: { shown: ShownRow }) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const { result, amounts, currency } = shown
  if (result === null || amounts === null) return null
  const charge = (label: string, amount: string, rate?: string) => (
    <span>
      {label} {rate !== undefined && <span class="hint">{leftToRight(`${rate} %`)} </span>}
      <b>{leftToRight(`${amountText(amount, currency)} ${currency}`)}</b>
    </span>
  )
  return (
    <p class="ways">
      {charge(s.duty, amounts.import_duty_amount, result.calculation.import_duty_rate)}
      {Number(amounts.excise_amount) > 0 && charge(s.excise, amounts.excise_amount)}
      {charge(s.vat, amounts.vat_amount, result.calculation.vat_rate)}
    </p>
  )
}

function Controls({ code }: { code: string }) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  const asked = useAnswer<Code>(query(`hs-codes/${code}`, { include: 'controls' }), (path, signal) => ask(path, { signal }))
  return (
    <div class="ship-controls">
      <h3>{s.controls}</h3>
      <Answered asked={asked} waiting={<Skeleton lines={1} />}>
        {({ controls }) =>
          controls && controls.items.length > 0 ? (
            <>
              <ControlItems items={controls.items} />
              <p class="hint">{wordsIn(surroundings, controls.note)}</p>
            </>
          ) : (
            <p class="hint">{s.controlsNone}</p>
          )
        }
      </Answered>
    </div>
  )
}
