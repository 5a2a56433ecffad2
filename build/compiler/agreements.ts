/** Turns the origin tables into agreements, with the category of every record. */
import { type AgreementTerm, COUNTRY_CERTAINTIES } from '../../src/snapshot/country-format.js'
import type { SnapshotMeta } from '../../src/snapshot/format.js'
import type { Columns } from '../../src/snapshot/schema.js'
import type { OriginTables } from '../dataset/countries/layers.js'
import type { CategoryRow } from '../dataset/countries/origin.js'
import { SourceTable } from '../dataset/countries/sources.js'
import { type CommonTariff, type LineRuns, longestPrefixValues } from './code-runs.js'

export interface CompiledOrigin {
  meta: Pick<SnapshotMeta, 'agreements' | 'antiDumping' | 'originSources'>
  columns: Pick<Columns, 'agreementCategory'>
}

export const NO_ORIGIN: OriginTables = { agreements: [], members: [], categories: [], terms: [], antiDumping: [] }

/** The term that estimates apply if the tables have no terms for an agreement. */
const ALL_FREE: AgreementTerm = { category: '', treatment: 'free', note: { en: '', ar: '' } }

export function compileOrigin(
  { agreements, members, categories, terms, antiDumping }: OriginTables,
  sourceTexts: ReadonlyMap<string, string>,
  { codes }: CommonTariff,
  lines: LineRuns,
): CompiledOrigin {
  const sources = new SourceTable(sourceTexts)
  const columns: Uint8Array[] = []
  const compiled = agreements.map(({ source, line: _, ...row }) => {
    const isOwn = ({ agreement }: { agreement: string }) => agreement === row.agreement
    const ownTerms = terms.filter(isOwn)
    const goods = categories.filter(isOwn)
    const kinds = [...new Set(goods.map(kindOf))].sort()
    const at = goods.length === 0 ? -1 : columns.push(categoriesOf(goods, kinds, lines, codes.length)) - 1
    return {
      ...row,
      members: members.filter(isOwn).map(({ country }) => country),
      source: sources.place(source),
      terms:
        ownTerms.length === 0 && row.isCalculated
          ? [ALL_FREE]
          : ownTerms.map(({ category, treatment, note }) => ({ category, treatment, note })),
      categories: kinds.map(kind => {
        const [category, certainty] = kind.split('\n')
        const term = ownTerms.findIndex(one => one.category === category)
        return { term, certainty: COUNTRY_CERTAINTIES[Number(certainty)] }
      }),
      at,
    }
  })
  const agreementCategory = new Uint8Array(columns.length * codes.length)
  columns.forEach((column, i) => {
    agreementCategory.set(column, i * codes.length)
  })
  return {
    meta: {
      agreements: compiled,
      antiDumping: antiDumping.map(({ line: _, source, ...row }) => ({ ...row, source: sources.place(source) })),
      originSources: sources.texts,
    },
    columns: { agreementCategory },
  }
}

/** Sort key: within a category, more certain records come first. */
function kindOf({ category, certainty }: CategoryRow): string {
  return `${category}\n${COUNTRY_CERTAINTIES.indexOf(certainty)}`
}

/**
 * If all lines below a code have the same category, the code also has it, with the lowest certainty of the lines. Otherwise
 * the code has no category.
 */
function categoriesOf(goods: readonly CategoryRow[], kinds: readonly string[], lines: LineRuns, records: number): Uint8Array {
  const values = longestPrefixValues(
    lines,
    goods.map(row => ({ prefix: row.prefix, value: kinds.indexOf(kindOf(row)) + 1 })),
  )
  const categoryOf = [undefined, ...kinds.map(kind => kind.split('\n')[0])]
  const found = new Uint8Array(records)
  lines.below.forEach(({ first, end }, record) => {
    let least = 0
    for (let i = first; i < end; i++) {
      if (values[i] < 0 || categoryOf[values[i]] !== categoryOf[values[first]]) return
      least = Math.max(least, values[i])
    }
    found[record] = least
  })
  return found
}
