import type { Catalog } from '../catalog/catalog.js'
import { ANY_CODE, findCode } from './codes.js'
import type { Refusal } from './refusal.js'

/** Which record has this code? Its number. */
export function lookup(catalog: Catalog, code: string): number | Refusal {
  return findCode(catalog, code, ANY_CODE)
}
