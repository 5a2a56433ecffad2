import { ESTIMATE_INCLUDES, INVOICE_ITEMS_MAX } from '../../limits.js'
import { readNames } from '../../questions/name-list.js'
import { invalidParameter, Refusal, refuseUnknown } from '../../questions/refusal.js'
import { SHIPMENT_PARAMETERS } from '../../questions/shipment/read.js'
import { type InvoiceItem, type InvoiceTerms, invalidItems } from '../../questions/tariff.js'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface ParsedInvoice {
  items: InvoiceItem[]
  terms: InvoiceTerms
  isExact: boolean
}

const INVOICE_FIELDS = ['items', 'currency', 'include_vat', 'vat_rate', 'country', 'as_of', 'origin', 'include']
const INVOICE_ITEM_FIELDS = ['hs_code', 'value', ...SHIPMENT_PARAMETERS]

/** Numbers become text again, exactly up to 15 digits. */
export function parseInvoice(body: unknown): ParsedInvoice | Refusal {
  if (!isObject(body)) return invalidParameter('body', 'must be an object with items')
  if (body.convert !== undefined) return invalidParameter('convert', 'is for single estimates')
  const unknown = refuseUnknown(body, INVOICE_FIELDS)
  if (unknown !== undefined) return unknown
  const { items, currency, include_vat: withVat, vat_rate: vatRate, include = [] } = body
  if (!Array.isArray(items)) return invalidItems()
  const read: InvoiceItem[] = []
  if (items.length < 1 || items.length > INVOICE_ITEMS_MAX) return invalidItems()
  for (const [i, item] of items.entries()) {
    if (!isObject(item)) return invalidItems()
    const unknown = refuseUnknown(item, INVOICE_ITEM_FIELDS, `items[${i}].`)
    if (unknown !== undefined) return unknown
    const { hs_code: code, value } = item
    if (typeof code !== 'string') return invalidParameter(`items[${i}].hs_code`, 'must be a string, such as "0902"')
    if (typeof value !== 'number' && typeof value !== 'string') return invalidParameter(`items[${i}].value`, 'must be a number')
    read.push({ code, value: String(value) })
  }
  if (currency !== undefined && typeof currency !== 'string')
    return invalidParameter('currency', 'must be three letters, such as AED')
  if (withVat !== undefined && typeof withVat !== 'boolean') return invalidParameter('include_vat', 'must be true or false')
  if (vatRate !== undefined && typeof vatRate !== 'number') return invalidParameter('vat_rate', 'must be a number')
  if (!Array.isArray(include)) return invalidParameter('include', 'must be a list of strings')
  const included = readNames('include', include, ESTIMATE_INCLUDES)
  if (included instanceof Refusal) return included
  return {
    isExact: included !== undefined,
    items: read,
    terms: { currency, withVat, vatRate: vatRate === undefined ? undefined : String(vatRate) },
  }
}
