/**
 * An invoice as one request, or as several where the limits of the key take fewer rows at once. Pieces that are answered stay answered
 * while the others wait for the next minute.
 */

import type { Answer } from '../data/answer.js'
import { ask, limits, refreshLimits } from '../data/api.js'
import { placesOf, rounded } from '../text/amounts.js'
import { sumOf } from '../text/decimals.js'
import { type InvoiceAnswer, type InvoiceBody, type RowEstimate, readAnswer, type Totals } from './invoice-answer.js'

type Items = InvoiceAnswer['items']
type Refused = Exclude<Answer<unknown>, { kind: 'ok' }>

const PATH = 'tariff/calculate'
const isGood = (one: Items[number]): one is RowEstimate => !('error' in one)

export class InvoicePieces {
  readonly #body: InvoiceBody
  #items: Items = []

  constructor(body: InvoiceBody) {
    this.#body = body
  }

  /** Those that have been answered, in order. */
  get items(): Items {
    return this.#items
  }

  /** Goes on where it stopped. */
  async ask(signal: AbortSignal): Promise<Answer<unknown>> {
    const { items } = this.#body
    while (this.#items.length < items.length) {
      if (items.length > 1) await refreshLimits(signal)
      // without room, one row tells how long to wait
      const room = Math.max(1, Math.min(limits.remaining, limits.remainingDay))
      const from = this.#items.length
      const piece = items.slice(from, from + room)
      const answer = await ask(PATH, { body: { ...this.#body, items: piece }, signal })
      if (answer.kind !== 'ok' || piece.length === items.length) return answer
      this.#items = [...this.#items, ...readAnswer(answer.text).items]
    }
    return this.#whole(signal)
  }

  /** As the API answers for all rows at once. */
  async #whole(signal: AbortSignal): Promise<Answer<unknown>> {
    const good = this.#items.filter(isGood)
    const sum = (name: keyof Totals) => sumOf(good.map(({ calculation }) => calculation[name] ?? '0'))
    const fees = await this.#fees(good[0]?.hs_code, sum('declared_value'), signal)
    if ('kind' in fees) return fees
    const parts = {
      declared_value: sum('declared_value'),
      import_duty_amount: sum('import_duty_amount'),
      excise_amount: sum('excise_amount'),
      fees_amount: sumOf(fees.fees.map(({ amount }) => amount)),
      vat_amount: sumOf([sum('vat_amount'), fees.vat]),
    }
    const { country, currency } = this.#body
    const totals = withSums(parts, country === undefined ? null : placesOf(currency))
    const data = { items: this.#items, fees: fees.fees, totals }
    return { kind: 'ok', data, meta: { total: 1, count: 1 }, text: JSON.stringify({ data }) }
  }

  /** They are charged once, on the customs value of all rows: asked for as those of one row with that value. */
  async #fees(
    code: string | undefined,
    value: string,
    signal: AbortSignal,
  ): Promise<Refused | { fees: InvoiceAnswer['fees']; vat: string }> {
    if (this.#body.country === undefined || code === undefined) return { fees: [], vat: '0' }
    const answer = await ask(PATH, { body: { ...this.#body, items: [{ hs_code: code, value }] }, signal })
    if (answer.kind !== 'ok') return answer
    const { items, fees, exact } = readAnswer(answer.text)
    const [only] = items
    if (only === undefined || !isGood(only)) {
      const { code: reason = '', message = '' } = only?.error ?? {}
      return { kind: 'refused', code: reason, message, parameter: '' }
    }
    return { fees, vat: sumOf([exact.vat_amount, `-${only.calculation.vat_amount}`]) }
  }
}

type Parts = Record<'declared_value' | 'import_duty_amount' | 'excise_amount' | 'fees_amount' | 'vat_amount', string>

/** Sums of rounded amounts, so that they add up on paper; null rounds nothing. */
function withSums(exact: Parts, places: number | null) {
  const round = (amount: string) => (places === null ? amount : rounded(amount, places))
  const parts = Object.fromEntries(Object.entries(exact).map(([name, amount]) => [name, round(amount)])) as Parts
  const { declared_value, import_duty_amount, excise_amount, fees_amount, vat_amount } = parts
  const total_duties_taxes = sumOf([import_duty_amount, excise_amount, fees_amount, vat_amount])
  return { ...parts, total_duties_taxes, landed_cost: sumOf([declared_value, total_duties_taxes]) }
}
