/** The changes of each dataset version, rendered: newest version first, then by kind and code. */
import { termsOf } from '../../src/snapshot/changed-terms.js'
import { CHANGE_KINDS, type ChangeKind, type Release, type TermKind } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import type { ChangeRow, ReleaseRow } from '../dataset/changes.js'
import { ByteColumn } from './byte-column.js'

export interface BuiltChanges {
  releases: Release[]
  columns: Pick<Columns, 'changeArena' | 'changeOffset'>
}

const words = (en: string, ar: string) => ({ description: { en, ar } })

type Sides = [old: object | null | undefined, now: object | null | undefined]

const sidesOf: Readonly<Record<ChangeKind, (row: ChangeRow) => Sides>> = {
  added: ({ new: now, new_en, new_ar }) => [null, { ...words(new_en, new_ar), tariff_rate: Number(now) }],
  removed: ({ old, old_en, old_ar }) => [{ ...words(old_en, old_ar), tariff_rate: Number(old) }, null],
  rate: ({ old, new: now }) => [{ tariff_rate: Number(old) }, { tariff_rate: Number(now) }],
  active: ({ old, new: now }) => [{ is_active: old === '1' }, { is_active: now === '1' }],
  words: ({ old_en, old_ar, new_en, new_ar }) => [words(old_en, old_ar), words(new_en, new_ar)],
  country_rate: termsSides,
  taxes: termsSides,
  controls: termsSides,
  unit: termsSides,
}

function termsSides({ kind, old, new: now }: ChangeRow): Sides {
  return [termsOf(kind as TermKind, old), termsOf(kind as TermKind, now)]
}

function rendered(row: ChangeRow): string {
  const { version, kind, hs_code, country } = row
  const [old, now] = sidesOf[kind as ChangeKind](row)
  return JSON.stringify({ version, kind, hs_code, ...(country !== '' && { country }), old, new: now })
}

const byCode = (a: ChangeRow, b: ChangeRow) => (a.hs_code < b.hs_code ? -1 : a.hs_code > b.hs_code ? 1 : 0)

/** Empty if the newest release is not this version: its changes would be missing from the list. */
export function buildChanges(rows: readonly ReleaseRow[], changes: readonly ChangeRow[], version: string): BuiltChanges {
  const arena = new ByteColumn()
  const offset = [0]
  const isCurrent = rows[0]?.version === version
  const releases = (isCurrent ? rows : []).map(({ version, before, date, summary_en: en, summary_ar: ar }): Release => {
    const own = changes.filter(change => change.version === version)
    const counts = CHANGE_KINDS.map(kind => {
      const ofKind = own.filter(change => change.kind === kind).sort(byCode)
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
