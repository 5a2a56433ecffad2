/** Column headings, in English and Arabic, as invoices and product lists write them. */
import type { Role } from './state.js'

/** Words that may occur in a column heading, alone or together. */
const HEADING_WORDS =
  /^(?:no|nr|number|code|codes|hs|h|s|hsn|hts|tariff|customs|commodity|heading|classification|gcc|sku|ean|gtin|barcode|ref|reference|id|article|part|model|item|items|product|products|description|desc|descr|goods|title|titles|name|names|material|value|values|amount|total|sum|price|unit|cost|net|gross|cif|fob|invoice|line|qty|quantity|quantities|pieces|pcs|units|litres|liters|grams|weight|kg|origin|country|coo|made|in|of|the|currency|aed|sar|usd|eur|gbp|cny|inr|ccy|qar|kwd|bhd|omr|category|brand|uom|رقم|الرقم|رمز|الرمز|رموز|كود|البند|بند|التعرفة|تعرفة|الجمركي|الجمركية|النظام|المنسق|الصنف|صنف|الأصناف|أصناف|المنتج|منتج|المنتجات|الوصف|وصف|البضاعة|بضاعة|البضائع|اسم|الاسم|البيان|بيان|السلعة|سلعة|السلع|القيمة|قيمة|المبلغ|مبلغ|الإجمالي|إجمالي|اجمالي|المجموع|السعر|سعر|الثمن|الوحدة|وحدة|الكمية|كمية|العدد|عدد|القطع|باللتر|لتر|اللتر|بالغرام|الوزن|المنشأ|منشأ|بلد|البلد|دولة|الدولة|العملة|الفئة|العلامة|م)$/iu

/** Whether a cell is short and contains only words of headings: "HS Code", "Unit price (AED)", "بلد المنشأ". */
export function isHeading(cell: string): boolean {
  const words = cell.match(/\p{L}+/gu) ?? []
  return words.length > 0 && words.length <= 5 && !/\p{Nd}/u.test(cell) && words.every(word => HEADING_WORDS.test(word))
}

/** Headings of the seller's item numbers, which may look like codes. */
const OWN =
  /sku|\bean\b|gtin|barcode|article|\bpart\b|model|\bref|serial|\bid\b|(?:item|product|style|stock|line)\s?(?:no|nr|num|code|#)|باركود|رقم\s(?:الصنف|المنتج|القطعة)|رمز\s(?:الصنف|المنتج)|كود\s(?:الصنف|المنتج)|مرجع/iu

/** Headings of each role, best first. Totals of a row come before unit prices. */
const NAMES: Readonly<Record<Role, readonly RegExp[]>> = {
  code: [/\bh\.?\s?s\.?n?\b|\bhts\b|tariff|customs|بند|تعرف|جمرك|منسق/iu, /commodity|\bcodes?\b|رمز|رموز|كود/iu],
  words: [/descri|goods|title|وصف|بضاع|بيان/iu, /item|product|name|commodit|article|صنف|أصناف|منتج|اسم|سلع/iu],
  value: [/value|amount|قيمة|مبلغ/iu, /total|sum|إجمالي|اجمالي|مجموع/iu, /price|cost|سعر|ثمن/iu],
  quantity: [/qty|quantit|كمية/iu, /pieces|pcs|litres|liters|عدد|لتر/iu],
  origin: [/origin|منشأ|منشا/iu, /country|\bcoo\b|made in|بلد|دولة/iu],
  sku: [OWN],
  currency: [/currency|\bccy\b|\bcurr?\b|عمل[ةه]/iu],
}

/** 0 for the best heading of a role, 1 for the next, …; -1 if the heading does not name the role. */
export function rankOf(role: Role, heading: string): number {
  if (role !== 'sku' && role !== 'words' && OWN.test(heading)) return -1
  if (role === 'currency' && rankOf('value', heading) >= 0) return -1
  if (role === 'words' && OWN.test(heading) && !/descri|title|وصف/iu.test(heading)) return -1
  return NAMES[role].findIndex(name => name.test(heading))
}

/** Headings of columns whose cells are numbers but not amounts. */
export const isNoAmount = (heading: string) => /weight|\bkg\b|\bno\b|nr|#|year|date|وزن|رقم|تاريخ|^م$/iu.test(heading)

/** Columns that this page appends to the pasted ones when it exports a file. */
export const ADDED = [
  'status',
  'hs_code',
  'description_en',
  'description_ar',
  'certainty',
  'reason',
  'corrected_from',
  'candidates',
  'needs',
  'tariff_rate',
  'origin',
  'value',
  'freight',
  'insurance',
  'cif_value',
  'currency',
  'duty_rate',
  'duty',
  'excise_quantity',
  'excise_unit',
  'excise',
  'fees',
  'vat_rate',
  'vat',
  'total_duties_taxes',
  'landed_cost',
  'error',
  'destination',
  'edition',
  'given_edition',
  'dataset',
] as const

/** The index of the first column that this page has appended; -1 if this page did not export the table. */
export function ownColumnsFrom(header: readonly string[]): number {
  const from = header.length - ADDED.length
  // if a pasted column has the same name, such as `value`, ours is called `value_2`
  const isOurs = (name: string, at: number) => [name, `${name}_2`].includes(header[from + at]?.trim() ?? '')
  return from >= 0 && ADDED.every(isOurs) ? from : -1
}
