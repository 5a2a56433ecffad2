import type { NextCorrelation } from '../questions/editions.js'
import type { NextCorrelation as NextCorrelationValue } from './shapes.js'

/** What a code of today becomes; the tables of the next edition are provisional. */
export function nextCorrelationOf(edition: string, code: string, found: NextCorrelation): NextCorrelationValue {
  return { edition, code, relation: found.relation, targets: found.nextTargets, provisional: true }
}
