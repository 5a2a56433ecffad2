import type { Catalog } from '../catalog/catalog.js'
import { LINES_LIMIT_DEFAULT } from '../limits.js'
import { ANY_CODE, findCode } from './codes.js'
import { pageOfRun, type Run, refusePage } from './page.js'
import { invalidParameter, Refusal } from './refusal.js'
import { oneOf } from './wording.js'

/** A page of the lines at or below a code, by default the longest lines. The page is a run of `catalog.lines.order`. */
export function lines(
  catalog: Catalog,
  code: string,
  digits: number = catalog.lines.longest,
  limit = LINES_LIMIT_DEFAULT,
  offset = 0,
): Run | Refusal {
  const lengths = catalog.lines.digits
  if (!lengths.includes(digits))
    return invalidParameter(
      'digits',
      lengths.length === 0 ? 'is not supported: this dataset has no lines' : `must be ${oneOf(lengths)}`,
    )
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  const record = findCode(catalog, code, ANY_CODE)
  if (record instanceof Refusal) return record
  return linesOf(catalog, record, digits, limit, offset)
}

export function linesOf(
  { lines }: Catalog,
  record: number,
  digits = lines.longest,
  limit = LINES_LIMIT_DEFAULT,
  offset = 0,
): Run {
  if (digits === 0) return pageOfRun(0, 0, limit, offset)
  const { first, end } = lines.below(record, digits)
  return pageOfRun(first, end - first, limit, offset)
}
