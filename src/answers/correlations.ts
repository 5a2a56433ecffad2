import type { NextCorrelation } from '../questions/editions.js'
import type { NextCorrelation as NextCorrelationValue } from './shapes.js'

/** The codes of the next edition that replace a current code. The correlation tables of that edition are provisional. */
export function nextCorrelationOf(edition: string, code: string, found: NextCorrelation): NextCorrelationValue {
  return { edition, code, relation: found.relation, targets: found.nextTargets, provisional: true }
}
