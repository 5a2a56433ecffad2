/** The shipment's totals by charge, what they leave out, and buttons for files, link and print. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { facts } from '../data/facts.js'
import { FigureList, type FigureRow, Minimum } from '../estimate/figures.js'
import { PrintButton } from '../estimate/print-button.js'
import { announce } from '../shared/announce.js'
import { copy } from '../shared/clipboard.js'
import { CopyButton } from '../shared/copy-button.js'
import { today } from '../text/today.js'
import { Field, invalid } from '../ui/field.js'
import { Icon } from '../ui/parts.js'
import { useSurroundings, wordsIn } from '../ui/surroundings.js'
import type { Sum } from './estimate-request.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Quote, Shipment } from './state.js'
import type { Actions } from './use-shipment.js'
import { amountText } from './view-rows.js'

const DOWNLOAD_MS = 10_000
/** Maximum number of row numbers in a sentence. */
const NAMED_MAX = 20

interface TotalsProps {
  state: Shipment
  sum: Sum
  /** Numbers of rows whose excise lacks its quantity or sugar. */
  lacking: readonly number[]
}

export function Totals({ state, sum, lacking }: TotalsProps) {
  const surroundings = useSurroundings()
  const { lang, t } = surroundings
  const s = shipmentStrings[lang]
  const { currency, fees, left, undecided, isComplete } = sum
  const hasCountry = state.terms.country !== ''
  const landed = `${amountText(sum.landed_cost, currency)} ${currency}`
  useEffect(() => announce(s.landedNow(landed)), [landed])
  const named = (numbers: readonly number[]) => {
    const rest = numbers.length - NAMED_MAX
    return numbers.slice(0, NAMED_MAX).join(s.comma) + (rest > 0 ? ` ${s.andMore(rest)}` : '')
  }
  const out = left.filter(number => !lacking.includes(number))
  const row = (label: ComponentChildren, name: string, exact: string): FigureRow => ({ label, name, figure: { exact } })
  const done = sum.rows.size
  return (
    <>
      <h2 id="ship-total">
        {done === state.rows.length ? s.totals(done) : s.totalsPart(done, state.rows.length)}
        {!isComplete && <span class="badge">{s.incomplete}</span>}
      </h2>
      {out.length > 0 && <p class="warning">{s.left(named(out))}</p>}
      {lacking.length > 0 && <p class="warning">{s.lacksExcise(named(lacking))}</p>}
      {undecided.length > 0 && <p class="warning">{s.undecided(named(undecided))}</p>}
      <div class="calc-out">
        <FigureList
          currency={currency}
          rows={[
            row(t.calcCif, 'declared_value', sum.declared_value),
            row(t.calcDuty, 'import_duty_amount', sum.import_duty_amount),
            ...(Number(sum.excise_amount) > 0 ? [row(t.calcExcise, 'excise_amount', sum.excise_amount)] : []),
            ...fees.map(fee => {
              const name = fee.name ? wordsIn(surroundings, fee.name) : t.calcFees
              return row([name, <Minimum key="minimum" charge={fee} currency={currency} />], 'fees_amount', fee.amount)
            }),
            row(t.calcVatAmount, 'vat_amount', sum.vat_amount),
            row(hasCountry ? t.calcCharges : t.calcTotal, 'total_duties_taxes', sum.total_duties_taxes),
            row(t.calcLanded, 'landed_cost', sum.landed_cost),
          ]}
        />
      </div>
      <p class="hint">{hasCountry ? t.calcEstimate : t.calcNote}</p>
    </>
  )
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_MS)
}

interface ToolsProps {
  state: Shipment
  /** '' if the rows do not fit into a link. */
  link: string
  actions: Actions
}

export function Tools({ state, link, actions }: ToolsProps) {
  const { lang, t } = useSurroundings()
  const s = shipmentStrings[lang]
  const [complaint, setComplaint] = useState('')
  const trying = (work: () => Promise<void>) => () => {
    setComplaint('')
    work().catch(() => setComplaint(t.checkFileFailed))
  }
  const file = (ending: 'csv' | 'xlsx') =>
    trying(async () => {
      const { csvFile, excelFile } = await import('./out.js')
      const dataset = await facts()
      save(ending === 'csv' ? csvFile(state, dataset) : excelFile(state, dataset, lang === 'ar'), `shipment.${ending}`)
    })
  const copyCodes = async () => {
    const { codeColumn, columnHtml } = await import('./out.js')
    const column = codeColumn(state)
    return copy(column.join('\n'), columnHtml(column))
  }
  const quote = async () => (await import('./quote.js')).quoteSheet(state, link)
  return (
    <div class="ship-tools">
      <div class="row">
        <button type="button" class="button" data-file="xlsx" onClick={file('xlsx')}>
          <Icon name="down" />
          {s.excel}
        </button>
        <button type="button" class="button" data-file="csv" onClick={file('csv')}>
          <Icon name="down" />
          {s.download}
        </button>
        <CopyButton name="codes" label={s.copyCodes} text={copyCodes} />
        {link === '' ? <span class="hint">{s.noLink}</span> : <CopyButton name="link" label={t.copyLink} text={link} />}
        <PrintButton make={quote} />
      </div>
      {complaint !== '' && (
        <p class="complaint" role="alert">
          {complaint}
        </p>
      )}
      <QuoteFields quote={state.quote} change={actions.quote} />
      <Decisions state={state} />
    </div>
  )
}

/** Codes that the visitor accepted or chose, as a file of own decisions. */
function Decisions({ state }: { state: Shipment }) {
  const { lang, t } = useSurroundings()
  const s = shipmentStrings[lang]
  const [who, setWho] = useState('')
  const [complaint, setComplaint] = useState<string>()
  const [failed, setFailed] = useState('')
  const write = async () => {
    setFailed('')
    setComplaint(who.trim() === '' ? s.decisionsWhoMissing : undefined)
    if (who.trim() === '') return
    const { decidedRows, decisionsFile } = await import('./out.js')
    if (decidedRows(state).length === 0) return setFailed(s.decisionsNone)
    save(decisionsFile(state, { who: who.trim(), day: today(), insteadOf: s.decisionsInstead }), 'decisions.csv')
  }
  return (
    <details class="ship-decisions">
      <summary>{s.decisionsTitle}</summary>
      <p class="hint">{s.decisionsHint}</p>
      <div class="ship-fields">
        <Field id="ship-who" label={s.decisionsWho} complaint={complaint}>
          <input
            type="text"
            dir="auto"
            id="ship-who"
            maxLength={200}
            autocomplete="name"
            value={who}
            onInput={event => setWho(event.currentTarget.value)}
            {...invalid('ship-who', complaint)}
          />
        </Field>
      </div>
      <button
        type="button"
        class="button"
        data-file="decisions"
        onClick={() => void write().catch(() => setFailed(t.checkFileFailed))}
      >
        <Icon name="down" />
        {s.decisionsSave}
      </button>
      {failed !== '' && (
        <p class="complaint" role="alert">
          {failed}
        </p>
      )}
    </details>
  )
}

const LOGO_BYTES_MAX = 200_000
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml']

/** A data address, because the content security policy allows no images from other sites. */
const dataAddress = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

function QuoteFields({ quote, change }: { quote: Quote; change: (quote: Partial<Quote>) => void }) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const [complaint, setComplaint] = useState('')
  const field = (name: 'reference' | 'from' | 'to', label: string) => (
    <Field id={`ship-quote-${name}`} label={label}>
      <input
        type="text"
        dir="auto"
        id={`ship-quote-${name}`}
        maxLength={200}
        autocomplete="off"
        value={quote[name]}
        onInput={event => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  )
  const take = async (file: File | undefined) => {
    if (!file) return
    const isFit = file.size <= LOGO_BYTES_MAX && LOGO_TYPES.includes(file.type)
    setComplaint(isFit ? '' : s.logoTooLarge)
    if (isFit) change({ logo: await dataAddress(file) })
  }
  return (
    <details class="ship-quote">
      <summary>{s.quoteTitle}</summary>
      <p class="hint">{s.quoteHint}</p>
      <div class="ship-fields">
        {field('reference', s.quoteReference)}
        {field('from', s.quoteFrom)}
        {field('to', s.quoteTo)}
      </div>
      <div class="row">
        <input
          type="file"
          id="ship-logo"
          class="unseen"
          accept={LOGO_TYPES.join()}
          onChange={event => void take(event.currentTarget.files?.[0])}
        />
        <label for="ship-logo" class="button">
          {s.logoChoose}
        </label>
        {quote.logo !== '' && (
          <>
            <img src={quote.logo} alt={s.logo} />
            <button type="button" class="button" onClick={() => change({ logo: '' })}>
              {s.logoRemove}
            </button>
          </>
        )}
      </div>
      {complaint !== '' && (
        <p class="complaint" role="alert">
          {complaint}
        </p>
      )}
    </details>
  )
}
