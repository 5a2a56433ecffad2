/** The changes of each dataset version, rendered: newest version first, then by kind and code. */
import { CHANGE_KINDS, type ChangeKind, type Release } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import type { ChangeRow, ReleaseRow } from '../dataset/changes.js'
import { ByteColumn } from './byte-column.js'

export interface BuiltChanges {
  releases: Release[]
  columns: Pick<Columns, 'changeArena' | 'changeOffset'>
}

const words = (en: string, ar: string) => ({ description: { en, ar } })

function rendered(row: ChangeRow): string {
  const { version, hs_code, old, new: now, old_en, old_ar, new_en, new_ar } = row
  const kind = row.kind as ChangeKind
  const sides = {
    added: [null, { ...words(new_en, new_ar), tariff_rate: Number(now) }],
    removed: [{ ...words(old_en, old_ar), tariff_rate: Number(old) }, null],
    rate: [{ tariff_rate: Number(old) }, { tariff_rate: Number(now) }],
    active: [{ is_active: old === '1' }, { is_active: now === '1' }],
    words: [words(old_en, old_ar), words(new_en, new_ar)],
  }[kind]
  return JSON.stringify({ version, kind, hs_code, old: sides[0], new: sides[1] })
}

/** Empty if the newest release is not this version, because the list would lack this version's changes. */
export function buildChanges(rows: readonly ReleaseRow[], changes: readonly ChangeRow[], version: string): BuiltChanges {
  const arena = new ByteColumn()
  const offset = [0]
  const isCurrent = rows[0]?.version === version
  const releases = (isCurrent ? rows : []).map(({ version, before, date, summary_en: en, summary_ar: ar }): Release => {
    const own = changes.filter(change => change.version === version)
    const counts = CHANGE_KINDS.map(kind => {
      const ofKind = own.filter(change => change.kind === kind).sort((a, b) => (a.hs_code < b.hs_code ? -1 : 1))
      for (const change of ofKind) {
        arena.pushText(`${rendered(change)},`)
        offset.push(arena.length)
      }
      return ofKind.length
    })
    return { version, before, date, summary: { en, ar }, counts }
  })
  return { releases, columns: { changeArena: arena.column(), changeOffset: Uint32Array.from(offset) } }
}
