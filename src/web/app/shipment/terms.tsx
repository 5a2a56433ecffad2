/** Fields for the whole shipment, and the roles of the pasted table's columns. */
import { useEffect, useState } from 'preact/hooks'
import { currencyOf } from '../data/country.js'
import { facts } from '../data/facts.js'
import { DestinationSelect } from '../estimate/destination.js'
import { OriginSelect, useOrigins } from '../estimate/origins.js'
import { CURRENCIES } from '../text/amounts.js'
import { Field, invalid } from '../ui/field.js'
import { useSurroundings } from '../ui/surroundings.js'
import { EDITIONS, editionOf } from './plan.js'
import { shipmentStrings } from './shipment-strings.js'
import { type Columns, ROLES, type Source, type Terms } from './state.js'
import type { TermProblems } from './view-rows.js'

/** Id of the list of countries, which all rows share. */
export const ORIGINS_ID = 'ship-origins'

interface TermsProps {
  terms: Terms
  /** The VAT rate of the estimate, once it is known. */
  vatRate: string
  problems: TermProblems
  change: (terms: Partial<Terms>) => void
}

export function TermsFields({ terms, vatRate, problems, change }: TermsProps) {
  const { lang, t } = useSurroundings()
  const s = shipmentStrings[lang]
  const [commonVat, setCommonVat] = useState('')
  const { country } = terms
  const currency = terms.currency || currencyOf(country)
  useEffect(() => {
    if (country === '') void facts().then(({ vatRate }) => setCommonVat(String(vatRate ?? '')))
  }, [])
  const field = (name: 'vat' | 'freight' | 'insurance', label: string, placeholder = '') => (
    <Field id={`ship-${name}`} label={label} complaint={problems[name]}>
      <input
        type="text"
        id={`ship-${name}`}
        inputMode="decimal"
        dir="ltr"
        autocomplete="off"
        maxLength={40}
        placeholder={placeholder}
        {...invalid(`ship-${name}`, problems[name])}
        value={terms[name]}
        onInput={event => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  )
  return (
    <fieldset class="ship-card ship-terms">
      <legend class="unseen">{s.termsTitle}</legend>
      <div class="ship-fields">
        <Field id="ship-destination" label={t.calcDestination}>
          <DestinationSelect id="ship-destination" />
        </Field>
        <Field id="ship-currency" label={t.calcCurrency}>
          <select id="ship-currency" value={currency} onChange={event => change({ currency: event.currentTarget.value })}>
            {(CURRENCIES.includes(currency) ? CURRENCIES : [currency, ...CURRENCIES]).map(code => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </Field>
        {field('vat', t.calcVat, vatRate || commonVat)}
        <Field id="ship-edition" label={s.edition}>
          <select
            id="ship-edition"
            value={editionOf({ terms })}
            onChange={event => change({ edition: event.currentTarget.value })}
          >
            {EDITIONS.map(one => (
              <option key={one} value={one}>{`HS ${one}`}</option>
            ))}
          </select>
        </Field>
        {country !== '' && (
          <>
            {field('freight', s.freight)}
            {field('insurance', s.insurance)}
            <OriginField chosen={terms.origin} choose={origin => change({ origin })} />
          </>
        )}
        <p class="hint">{country === '' ? t.calcNoDestination : s.shared}</p>
      </div>
    </fieldset>
  )
}

function OriginField({ chosen, choose }: { chosen: string; choose: (code: string) => void }) {
  const { lang } = useSurroundings()
  const { frequent, others } = useOrigins()
  return (
    <Field id="ship-origin" label={shipmentStrings[lang].origin}>
      <datalist id={ORIGINS_ID}>{[...frequent, ...others]}</datalist>
      <OriginSelect id="ship-origin" value={chosen.toUpperCase()} choose={choose} />
    </Field>
  )
}

interface ColumnsProps {
  source: Source
  change: (columns: Columns) => void
  setHeader: (hasHeader: boolean) => void
}

export function ColumnFields({ source, change, setHeader }: ColumnsProps) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const { header, cells, columns } = source
  const width = cells.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0)
  const names = Array.from({ length: width }, (_, at) => header?.[at]?.trim() || s.column(at + 1))
  return (
    <details class="ship-card ship-columns" open={width > 1}>
      <summary>{s.columnsTitle}</summary>
      <p class="hint">{s.columnsHint}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend next to the summary */}
      <div class="ship-fields" role="group" aria-label={s.columnsTitle}>
        {ROLES.map(role => (
          <Field key={role} id={`ship-column-${role}`} label={s.roles[role] ?? role}>
            <select
              id={`ship-column-${role}`}
              value={columns[role]}
              onChange={event => change({ ...columns, [role]: Number(event.currentTarget.value) })}
            >
              <option value={-1}>{s.noColumn}</option>
              {names.map((name, at) => (
                <option key={at} value={at}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        ))}
      </div>
      <div class="ways">
        <button type="button" class="button" aria-pressed={header !== null} onClick={() => setHeader(header === null)}>
          {s.hasHeader}
        </button>
      </div>
    </details>
  )
}
