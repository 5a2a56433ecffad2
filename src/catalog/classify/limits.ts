/** Limits that descriptions set: "over 1,500 up to 3,000 cm3", "85% or more cotton", "3 mm to under 4.75 mm thick". */
import { withoutExclusions } from '../../text/exclusions.js'
import { type Materials, skipBetween } from './materials.js'
import { DIAMETER, NUMBER, PLIES, type Range, THICK, toNumber, WIDE } from './range.js'

const OVER = 'over|exceeding|above|more than|wider than'
const UPPER = 'up to|not over|not exceeding|not more than|no more than|at most'
const UNDER = 'under|below|less than'
const LEAST = 'at least|from'
const UNIT_NAMES = 'cm3|g/m²|kW|W|kVA|V|kg|g(?! per)|litres?|l|decitex|tex|mm|cm|%'
// regexp-ignore: dataset text, descriptions of at most 1,000 characters
const LIMIT = new RegExp(
  '(?:\\b(?:(?<content>fat|sugar) content|(?<cross>cross-section)(?: dimension)?(?: of)?|(?<narrow>narrow) \\() ?)?' +
    `(?:\\b(?<kind>${OVER}|${UPPER}|${UNDER}|${LEAST}) )?(?<number>${NUMBER})(?: ?(?<unit>${UNIT_NAMES})(?![a-z]))?` +
    '(?: (?:(?<wide>wide)|(?<thick>thick)|(?<diameter>in diameter|diameter|across|outside))\\b)?' +
    '(?: (?<after>or more|or less|or wider))?(?<to> to (?=under \\d|\\d))?(?=(?<material>(?: [a-z-]+){0,5}))',
  'giu',
)
type Groups = Readonly<Partial<Record<string, string>>>
const groupsOf = (match: RegExpExecArray): Groups => match.groups as Groups

/** Limits of only some of the goods: "…, and strip up to 5 mm wide", "up to 75 mm in diameter, or larger with a wheel". */
// regexp-ignore: dataset text, as LIMIT
const PARTIAL = /\bup to [^,;]*, or larger\b|, (?:and|or) [^,;]*|\bincluding [^,;]*/giu
/** Words that follow a share of something named before: "fat content over 1% but not over 6%", "zinc, at least 99.99% pure". */
const NO_MATERIAL: ReadonlySet<string> = new Set([
  '',
  'but',
  'or',
  'not',
  'in',
  'up',
  'with',
  'to',
  'mixed',
  'it',
  'them',
  'each',
])
/** Factors that convert a unit to the unit used for comparison. */
const FACTORS: Readonly<Record<string, number>> = { g: 0.001, W: 0.001, cm: 10, tex: 10 }
const COMPARED_UNITS: Readonly<Record<string, string>> = { litre: 'l', litres: 'l', W: 'kW', g: 'kg', tex: 'decitex' }
/** "232 decitex per single yarn" limits each of the single yarns in a multiple yarn. */
const SINGLE_YARN = /(?<!per )\bsingle\b/iu
const MULTIPLE_YARN = /\b(?:folded|cabled|multiple)\b/iu
/** What may be between the two numbers of a range. */
const LINK = /^(?:| | and | but )$/u

/** An exclusion does not include a limit after it: "weaves other than plain, 85% or more cotton". */
// regexp-ignore: dataset text, as LIMIT
const COMMA_BEFORE_LIMIT = new RegExp(`, (?=(?:(?:${OVER}|${UPPER}|${UNDER}|${LEAST}) )?\\d)`, 'giu')

/** `description`: in English. */
export function limitsIn(description: string, materials: Materials): Range[] {
  const text = withoutExclusions(description.replace(COMMA_BEFORE_LIMIT, '; ')).replace(PARTIAL, '')
  const byUnit = new Map<string, Range>()
  const all = [...text.matchAll(LIMIT)]
  for (const [i, match] of all.entries()) {
    const { kind = '', number = '', unit: ownUnit, after, to } = groupsOf(match)
    // "over 1,500 up to 3,000 cm3", "3 mm to under 4.75 mm thick": the first number has the unit and dimension of the next
    const next = areLinked(text, match, all[i + 1]) ? groupsOf(all[i + 1]) : {}
    const unit = unitOf(groupsOf(match), materials) ?? unitOf(next, materials) ?? shareBefore(text, match, byUnit, materials)
    if (unit === undefined) continue
    const isLast = i > 0 && groupsOf(all[i - 1]).to !== undefined
    const limits = byUnit.get(unit) ?? { unit, min: 0, isMinOut: false, max: Infinity, isMaxOut: false }
    const side = sideOf(kind.toLowerCase(), after, to !== undefined, isLast)
    if (side === undefined) continue
    const value = toNumber(number) * (FACTORS[ownUnit ?? next.unit ?? ''] ?? 1)
    // if different goods have different limits, use the wider one: "under 40% cocoa, or of milk with under 5% cocoa"
    if (side.isMin && (limits.min === 0 || value < limits.min)) Object.assign(limits, { min: value, isMinOut: side.isOut })
    if (!side.isMin && (limits.max === Infinity || value > limits.max))
      Object.assign(limits, { max: value, isMaxOut: side.isOut })
    byUnit.set(unit, limits)
  }
  return [...byUnit.values(), ...pliesIn(text)]
}

function areLinked(text: string, first: RegExpExecArray, second: RegExpExecArray | undefined): boolean {
  return second !== undefined && LINK.test(text.slice(first.index + first[0].length, second.index))
}

/** Which side of a range a number limits, and whether the number itself is outside. */
function sideOf(kind: string, after: string | undefined, isFirst: boolean, isLast: boolean) {
  const isOneOf = (kinds: string) => kinds.split('|').includes(kind)
  if (after === 'or less' || isOneOf(UPPER)) return { isMin: false, isOut: false }
  if (after !== undefined || isOneOf(LEAST)) return { isMin: true, isOut: false }
  if (isOneOf(UNDER)) return { isMin: false, isOut: true }
  if (isOneOf(OVER)) return { isMin: true, isOut: true }
  if (isFirst || isLast) return { isMin: isFirst, isOut: false }
  return undefined
}

function unitOf({ unit, content, material, cross, narrow, wide, thick, diameter, after }: Groups, materials: Materials) {
  if (unit === undefined) return undefined
  if (unit === '%') return isOfNext(material) || content !== undefined ? materials.unitOf(content ?? material ?? '') : undefined
  if (unit !== 'mm' && unit !== 'cm') return COMPARED_UNITS[unit] ?? unit
  if (wide !== undefined || narrow !== undefined || after === 'or wider') return WIDE
  if (thick !== undefined) return THICK
  return cross !== undefined || diameter !== undefined ? DIAMETER : undefined
}

function isOfNext(following = ''): boolean {
  const words = following.trim().split(' ')
  return !NO_MATERIAL.has(words[skipBetween(words, 0)] ?? '')
}

/** "Fat content over 1% but not over 6%", "polyester yarn under 85%": a share of what is named before. */
function shareBefore(text: string, match: RegExpExecArray, byUnit: ReadonlyMap<string, Range>, materials: Materials) {
  const { unit, material } = groupsOf(match)
  if (unit !== '%' || isOfNext(material) || material?.startsWith(' by')) return undefined
  const value = materials.values.narrowest(materials.valuesIn(text.slice(0, match.index))).at(-1)
  return [...byUnit.keys()].findLast(one => one.startsWith('% ')) ?? (value === undefined ? undefined : materials.unit(value))
}

function pliesIn(text: string): Range[] {
  if (!/\byarn\b/iu.test(text)) return []
  if (MULTIPLE_YARN.test(text)) return [{ unit: PLIES, min: 2, isMinOut: false, max: Infinity, isMaxOut: false }]
  return SINGLE_YARN.test(text) ? [{ unit: PLIES, min: 1, isMinOut: false, max: 1, isMaxOut: false }] : []
}
