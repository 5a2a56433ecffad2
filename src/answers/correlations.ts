import type { NextCorrelation } from '../questions/editions.js'
import type { NextCorrelation as NextCorrelationValue } from './shapes.js'

/** What a code of today becomes in the next edition, whose tables are provisional. */
export function nextCorrelationOf(edition: string, code: string, found: NextCorrelation): NextCorrelationValue {
  return { edition, code, relation: found.relation, targets: found.nextTargets, provisional: true }
}
