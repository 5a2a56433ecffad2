/** What every endpoint with a code says when the code is malformed or unknown. */
import type { Catalog } from '../catalog/catalog.js'
import { CODE_DIGITS_MAX, digitsOnly, isCode, PARENT_DIGITS_MAX } from '../hs-code.js'
import type { Responder } from './respond.js'

/** The code's record, or -1 after the refusal has been sent. */
export function findRecord(
  catalog: Catalog,
  out: Responder,
  code: string,
  digitsMax = CODE_DIGITS_MAX,
): number {
  if (!isCode(code, digitsMax)) {
    refuseMalformed(out, code, digitsMax)
    return -1
  }
  const record = catalog.trie.find(code)
  if (record < 0) refuseUnknown(catalog, out, code)
  return record
}

function refuseMalformed(out: Responder, code: string, digitsMax: number): void {
  const rule =
    digitsMax === PARENT_DIGITS_MAX
      ? `A code to list the children of is 2 to ${digitsMax} digits without dots or spaces`
      : `An HS code is 2 to ${digitsMax} digits without dots or spaces`
  const digits = digitsOnly(code)
  const hint =
    digits !== '' && digits !== code && digits.length <= digitsMax ? `; did you mean ${digits}?` : '.'
  out.refuse('invalidCode', { message: rule + hint })
}

function refuseUnknown(catalog: Catalog, out: Responder, code: string): void {
  const nearest = catalog.trie.nearest
  if (nearest < 0) {
    out.refuse('notFound', { message: `HS code ${code} is not in the dataset.` })
    return
  }
  const text = code.slice(0, catalog.level[nearest])
  out.refuse('notFound', {
    message: `HS code ${code} is not in the dataset; the nearest code above it is ${text}.`,
    details: `"nearest":"${text}"`,
  })
}
