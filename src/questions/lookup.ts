import type { Catalog } from '../catalog/catalog.js'
import { ANY_CODE, findCode } from './codes.js'
import type { Refusal } from './refusal.js'

/** The record number of a code. */
export function lookup(catalog: Catalog, code: string): number | Refusal {
  return findCode(catalog, code, ANY_CODE)
}
