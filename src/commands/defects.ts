import type { Defect } from '../../build/dataset/defect.js'
import { OperatorError } from '../errors.js'

/** More defects than this would make the output unreadable. */
const DEFECTS_SHOWN_MAX = 200

/** Throws one error that lists the defects with their places. */
export function refuseDefects(directory: string, defects: readonly Defect[], notWritten = 'no snapshot'): void {
  if (defects.length === 0) return
  const lines = defects.slice(0, DEFECTS_SHOWN_MAX).map(({ file, line, message }) => `${directory}/${file}:${line}: ${message}`)
  if (defects.length > DEFECTS_SHOWN_MAX) lines.push(`… and ${defects.length - DEFECTS_SHOWN_MAX} more`)
  const count = defects.length === 1 ? 'one defect' : `${defects.length} defects`
  throw new OperatorError(`${lines.join('\n')}\n${directory}: ${count}; ${notWritten} was written`)
}
