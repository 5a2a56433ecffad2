import type { Catalog } from '../catalog/catalog.js'
import { CHILDREN_LIMIT_DEFAULT } from '../limits.js'
import { findCode, PARENT_CODE } from './codes.js'
import { refusePage } from './page.js'
import { Refusal } from './refusal.js'

/** The children of a code stand side by side: a page of them is a run of records. */
export interface ChildrenPage {
  /** The first record of the page, where it has any. */
  first: number
  count: number
  total: number
  limit: number
  offset: number
}

/** Which codes stand one level below? */
export function children(catalog: Catalog, code: string, limit = CHILDREN_LIMIT_DEFAULT, offset = 0): ChildrenPage | Refusal {
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  const parent = findCode(catalog, code, PARENT_CODE)
  if (parent instanceof Refusal) return parent
  const total = catalog.childCount[parent]
  const count = Math.max(0, Math.min(limit, total - offset))
  return { first: catalog.firstChild[parent] + offset, count, total, limit, offset }
}
