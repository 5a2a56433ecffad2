/** Shows duty, VAT and landed cost while the visitor types. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { TariffEstimate } from '../../../answers/shapes.js'
import { type Calculation, toCode } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask } from '../data/api.js'
import { COMMON, country as chosenCountry, currencyOf, withCountry } from '../data/country.js'
import { usualVatRate } from '../data/facts.js'
import { pause } from '../data/pace.js'
import { CommonEstimate } from '../estimate/common-estimate.js'
import { CountryEstimateView } from '../estimate/country-estimate.js'
import { DestinationSelect } from '../estimate/destination.js'
import { OriginSelect } from '../estimate/origins.js'
import { PrintButton } from '../estimate/print-button.js'
import { NO_NEEDS, needsOf, readExact } from '../estimate/shipment.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { CopyButton } from '../shared/copy-button.js'
import { Button } from '../shared/notices.js'
import { usePage } from '../shared/page.js'
import { Field, invalid } from '../ui/field.js'
import { fill, leftToRight, Part } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import {
  type Complaints,
  complaintsOf,
  currenciesWith,
  type FieldName,
  type Form,
  firstTyped,
  readCalculation,
  shownOf,
  type Unclear,
  withChosenCurrency,
  withNamedCurrency,
} from './calculation.js'
import type { WholeRecord } from './data.js'
import { keepTyped, typedFor } from './typed.js'

/** Pause in typing before a request when the quota is nearly used up. */
const PAUSE_MAX_MS = 600

/** Pairs of currency and country that the API has refused to convert: the dataset has no fixed rate for them. */
const withoutFixedRate = new Set<string>()

/** Asks for the landed cost in the country's currency as well, if there is a fixed exchange rate. */
async function askEstimate(
  path: string,
  currency: string,
  country: string,
  signal: AbortSignal,
): Promise<Answer<TariffEstimate>> {
  const pair = `${currency} ${country}`
  if (country !== '' && currency !== currencyOf(country) && !withoutFixedRate.has(pair)) {
    const answer = await ask<TariffEstimate>(`${path}&convert=1`, { signal })
    if (answer.kind !== 'refused' || answer.parameter !== 'convert') return answer
    withoutFixedRate.add(pair)
  }
  return ask(path, { signal })
}

function firstState(asked: Calculation): { form: Form; typed: Calculation } {
  const country = chosenCountry()
  const typed = firstTyped(asked, typedFor(country))
  const known = currenciesWith(typed.currency)
  const vat = typed.vat || (country === '' ? String(usualVatRate() ?? '') : '')
  return { form: { country, needs: NO_NEEDS, known }, typed: withNamedCurrency({ ...typed, vat }, known) }
}

/**
 * The typed values, and the values that the estimate uses (`settled`). While the quota is low, `settled` changes only after a
 * pause in typing.
 */
function useTyped(record: WholeRecord, asked: Calculation) {
  const page = usePage()
  const [first] = useState(() => firstState(asked))
  const [form, setForm] = useState(first.form)
  const [typed, setTyped] = useState(first.typed)
  const [settled, setSettled] = useState(typed)
  const isTyped = useRef(false)
  const timer = useRef(0)
  useEffect(() => {
    // put the currency into the address, so that a change of destination does not change the currency of the amount
    if (asked.currency === '' && asked.value + asked.freight + asked.insurance !== '')
      page.note(toCode(record.hs_code, { ...asked, currency: typed.currency }))
    return () => clearTimeout(timer.current)
  }, [])
  const change = (next: Calculation) => {
    isTyped.current = true
    setTyped(next)
    page.note(toCode(record.hs_code, shownOf(next, form)))
    clearTimeout(timer.current)
    const wait = pause(false) ?? PAUSE_MAX_MS
    if (wait === 0) setSettled(next)
    else timer.current = window.setTimeout(() => setSettled(next), wait)
  }
  const keep = () => isTyped.current && keepTyped(shownOf(settled, form), form.country)
  return { form, setForm, typed, settled, change, keep }
}

interface Props {
  record: WholeRecord
  /** Values from the address. */
  asked: Calculation
}

export function Calculator({ record, asked: inAddress }: Props) {
  const { t } = useSurroundings()
  const { form, setForm, typed, settled, change, keep } = useTyped(record, inAddress)
  const { country, needs, known } = form
  /** The country's VAT rate, shown while the visitor has not typed one. */
  const [vatRate, setVatRate] = useState('')
  const verdict = readCalculation(record.hs_code, settled, form)
  const asked = useAnswer<TariffEstimate>(verdict.kind === 'question' ? verdict.path : null, (path, signal) =>
    askEstimate(path, settled.currency, country, signal),
  )
  const { answer, trouble } = asked
  useLayoutEffect(() => {
    if (answer === undefined) return
    keep()
    if (country === '') return
    const data = readExact(answer.text)
    // if excise needs a field that the address has filled in, the next request includes its value
    setForm({ ...form, needs: needsOf(data) })
    if (settled.vat === '') setVatRate(data.calculation.vat_rate)
  }, [answer])

  const complaints = complaintsNow()
  const complaint = (name: FieldName) => complaints[name] && t[complaints[name]]
  const type = (name: FieldName) => (text: string) => change(withNamedCurrency({ ...typed, [name]: text }, known))
  const link = () => location.origin + withCountry(toCode(record.hs_code, shownOf(typed, form)), country || COMMON)
  const makeSheet = async (text: string) => {
    const { estimateSheet } = await import('../estimate/estimate-sheet.js')
    return estimateSheet(record, { country, text, sugar: shownOf(settled, form).sugar, address: link() })
  }
  const input = (name: FieldName, label: string, placeholder?: string) => (
    <Field id={`calc-${name}`} name={`field-${name}`} label={label} complaint={complaint(name)}>
      <input
        id={`calc-${name}`}
        type="text"
        inputmode="decimal"
        dir="ltr"
        autocomplete="off"
        maxlength={40}
        placeholder={placeholder}
        value={typed[name]}
        onInput={event => type(name)(event.currentTarget.value)}
        {...invalid(`calc-${name}`, complaint(name))}
      />
    </Field>
  )
  return (
    <Part name="calc" title={t.calcTitle}>
      <div class="fields">
        <Field id="calc-destination" name="field-destination" label={t.calcDestination}>
          <DestinationSelect id="calc-destination" />
        </Field>
        {input('value', country === '' ? t.calcValue : t.calcGoodsOrCif)}
        <Field id="calc-currency" name="field-currency" label={t.calcCurrency} complaint={complaint('currency')}>
          <select
            id="calc-currency"
            value={typed.currency}
            onChange={event => change(withChosenCurrency(typed, event.currentTarget.value, known))}
            {...invalid('calc-currency', complaint('currency'))}
          >
            {known.map(code => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </select>
        </Field>
        {input('vat', t.calcVat, vatRate)}
        {country === '' ? (
          <p class="hint fields-hint">{t.calcNoDestination}</p>
        ) : (
          <>
            {input('freight', t.calcFreightExtra)}
            {input('insurance', t.calcInsuranceExtra)}
            <Field id="calc-origin" name="field-origin" label={t.calcOrigin} complaint={complaint('origin')}>
              <OriginSelect
                id="calc-origin"
                value={typed.origin}
                choose={type('origin')}
                {...invalid('calc-origin', complaint('origin'))}
              />
            </Field>
            {needs.unit !== '' && input('quantity', t.calcQuantity[needs.unit] ?? '')}
            {needs.sugar && input('sugar', t.calcSugar)}
          </>
        )}
      </div>
      {/* an estimate for a country is long: its last line is announced instead */}
      <div aria-live={country === '' ? 'polite' : undefined}>
        {verdict.kind === 'question' ? (
          <Answered class="calc-out" asked={asked} trouble={({ kind }) => (kind === 'refused' ? false : undefined)}>
            {(_, { text }) => (country === '' ? <CommonEstimate text={text} /> : <CountryEstimateView text={text} />)}
          </Answered>
        ) : (
          <div class="calc-out">
            {verdict.kind === 'empty' && <p class="hint">{t.calcEnter}</p>}
            {verdict.kind === 'wrong' && verdict.unclear && (
              <Which unclear={verdict.unclear} typed={settled} choose={type(verdict.unclear.name)} />
            )}
          </div>
        )}
      </div>
      {verdict.kind === 'question' && answer && (
        <div class="quote-tools">
          <CopyButton name="link" label={t.copyLink} text={link()} />
          <PrintButton make={() => makeSheet(answer.text)} />
        </div>
      )}
    </Part>
  )

  function complaintsNow(): Complaints {
    if (verdict.kind === 'wrong') return verdict.complaints
    return verdict.kind === 'question' && trouble?.kind === 'refused' ? complaintsOf(trouble.parameter) : {}
  }
}

/** Offers both readings of an ambiguous amount. The chosen one replaces the text in an unambiguous form. */
function Which({ unclear, typed, choose }: { unclear: Unclear; typed: Calculation; choose: (text: string) => void }) {
  const { t } = useSurroundings()
  const choice = (text: string, label: string) => (
    <Button
      onClick={() => {
        document.getElementById(`calc-${unclear.name}`)?.focus()
        choose(text)
      }}
    >
      <span>{fill(label, { amount: leftToRight(text) })}</span>
    </Button>
  )
  return (
    <>
      <p class="complaint">{fill(t.calcWhich, { typed: <bdi>{typed[unclear.name].trim()}</bdi> })}</p>
      <div class="ways">
        {choice(unclear.grouped, t.calcThousands)}
        {choice(unclear.decimal, t.calcDecimals)}
      </div>
    </>
  )
}
