/** Describes the old or the new side of a change in one line. */
import type { DatasetChange } from '../answers/shapes.js'
import { termsText } from '../snapshot/changed-terms.js'

export function sideText(side: DatasetChange['old']): string {
  if (side === null) return '-'
  const { description, tariff_rate: rate, is_active: isActive } = side
  if (isActive !== undefined) return isActive ? 'in force' : 'not in force'
  const parts = [description?.en, rate === undefined ? termsText(side) : `${rate} %`]
  return parts.filter(Boolean).join(', ') || 'none'
}
