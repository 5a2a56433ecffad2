/** Import controls of a code and of the codes above it. */
import { CONTROL_KINDS, type Control, type ControlScope } from '../snapshot/format.js'
import type { Columns } from '../snapshot/schema.js'
import { indexIn } from './editions.js'

export class Controls {
  constructor(
    private readonly columns: Columns,
    private readonly controls: readonly Control[],
  ) {}

  /** Most serious kind first. Within a kind, controls of the code itself come before those of the codes above it. */
  of(record: number, scopes: readonly ControlScope[]): Control[] {
    const { parent } = this.columns
    const found: Control[] = []
    for (let at = record; at >= 0; at = parent[at]) found.push(...this.#atRecord(at, scopes))
    return found.sort((a, b) => CONTROL_KINDS.indexOf(a.kind) - CONTROL_KINDS.indexOf(b.kind))
  }

  prohibits(record: number, scopes: readonly ControlScope[]): boolean {
    return this.of(record, scopes).some(({ kind }) => kind === 'prohibited')
  }

  #atRecord(record: number, scopes: readonly ControlScope[]): Control[] {
    const { controlRecord, controlAt, control } = this.columns
    const found = indexIn(controlRecord, record, 0, controlRecord.length)
    if (found < 0) return []
    const controls = Array.from(control.subarray(controlAt[found], controlAt[found + 1]), place => this.controls[place])
    return controls.filter(({ scope }) => scopes.includes(scope))
  }
}
