import type { Catalog } from '../catalog/catalog.js'
import { CHILDREN_LIMIT_DEFAULT } from '../limits.js'
import { findCode, PARENT_CODE } from './codes.js'
import { refusePage } from './page.js'
import { Refusal } from './refusal.js'

/** Children are neighbours, so a page is a run of records. */
export interface ChildrenPage {
  /** Meaningless when `count` is 0. */
  first: number
  count: number
  total: number
  limit: number
  offset: number
}

export function children(catalog: Catalog, code: string, limit = CHILDREN_LIMIT_DEFAULT, offset = 0): ChildrenPage | Refusal {
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  const parent = findCode(catalog, code, PARENT_CODE)
  if (parent instanceof Refusal) return parent
  const total = catalog.childCount[parent]
  const count = Math.max(0, Math.min(limit, total - offset))
  return { first: catalog.firstChild[parent] + offset, count, total, limit, offset }
}
