/** Names of the rules in house-rules.ts. A manifest can postpone a rule. */
export const HOUSE_RULES = [
  'brackets',
  'numbers',
  'exclusions',
  'percentages',
  'glossary',
  'keyword-rates',
  'keyword-subjects',
  'keyword-languages',
  'own-lines',
  'national-lines',
  'other-rates',
  'parent-rates',
  'source-rates',
] as const

export type HouseRule = (typeof HOUSE_RULES)[number]

export function isHouseRule(name: unknown): name is HouseRule {
  return (HOUSE_RULES as readonly unknown[]).includes(name)
}
