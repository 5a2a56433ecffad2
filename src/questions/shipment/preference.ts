/**
 * The effect of the country of origin: the agreement that makes the goods duty-free, and agreements that are only mentioned.
 */
import type { Catalog } from '../../catalog/catalog.js'
import type { AgreementForGoods, CountryView } from '../../catalog/countries.js'
import { type LeftOut, leftOut, type Warning, warning } from '../../warnings.js'

export interface Preference {
  origin: string
  /** The first agreement that makes the goods duty-free; if there is none, the first agreement that estimates apply. */
  applied: AgreementForGoods | undefined
  isFree: boolean
  warnings: Warning[]
  notIncluded: LeftOut[]
}

export function preferenceFor(catalog: Catalog, { country }: CountryView, record: number, origin: string): Preference {
  const found = catalog.countries.agreementsFor(country.code, origin, record)
  const calculated = found.filter(({ agreement }) => agreement.isCalculated)
  const applied = calculated.find(({ term }) => term?.treatment === 'free') ?? calculated[0]
  const isFree = applied?.term?.treatment === 'free'
  const warnings: Warning[] = []
  if (applied !== undefined && applied.certainty === 'uncertain')
    warnings.push(warning('agreement_uncertain', applied.agreement.name))
  const isUnclear = applied !== undefined && (applied.term === undefined || applied.term.treatment === 'doubtful')
  if (isUnclear) warnings.push(warning('agreement_unknown', applied.agreement.name))
  const others = found.filter(({ agreement }) => !agreement.isCalculated)
  return {
    origin,
    applied,
    isFree,
    warnings,
    notIncluded: isFree ? [] : others.map(({ agreement }) => leftOut('other_agreement', agreement.name)),
  }
}
