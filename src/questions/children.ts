import type { Catalog } from '../catalog/catalog.js'
import { CHILDREN_LIMIT_DEFAULT } from '../limits.js'
import { findCode, PARENT_CODE } from './codes.js'
import { pageOfRun, type Run, refusePage } from './page.js'
import { Refusal } from './refusal.js'

/** A page of the codes one level below a code. They are consecutive records, so the page is a run. */
export function children(catalog: Catalog, code: string, limit = CHILDREN_LIMIT_DEFAULT, offset = 0): Run | Refusal {
  const refusal = refusePage(limit, offset)
  if (refusal !== undefined) return refusal
  const parent = findCode(catalog, code, PARENT_CODE)
  if (parent instanceof Refusal) return parent
  return childrenOf(catalog, parent, limit, offset)
}

export function childrenOf({ firstChild, childCount }: Catalog, parent: number, limit = CHILDREN_LIMIT_DEFAULT, offset = 0): Run {
  return pageOfRun(firstChild[parent], childCount[parent], limit, offset)
}

/** The code itself and all codes with the same parent; none for a chapter, which has no parent. */
export function siblingsOf(catalog: Catalog, record: number): Run {
  const parent = catalog.parent[record]
  return parent < 0 ? pageOfRun(0, 0, CHILDREN_LIMIT_DEFAULT, 0) : childrenOf(catalog, parent)
}
