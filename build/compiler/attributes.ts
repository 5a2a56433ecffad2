/**
 * Finds the attribute values ("frozen", "of leather") that each record states or excludes, in its own description or in those
 * of the codes above it.
 */
import { chapterOf, HEADING_DIGITS, headingOf } from '../../src/codes/levels.js'
import type { Attribute, AttributeValue } from '../../src/snapshot/format.js'
import { splitExclusions } from '../../src/text/exclusions.js'
import type { Stemmer } from '../../src/text/terms.js'
import { type AfterFor, type AttributeRow, type AttributeValueRow, OTHER_VALUE } from '../dataset/attributes.js'
import { GrowingArray } from './growing-array.js'
import type { BuildRecord } from './hierarchy.js'
import { SequenceTable } from './sequence-table.js'

const WHETHER_OR_NOT = /\bwhether or not\b[^,;()]*/giu
const ITEM = "(?!(?:of|for|with|without|in|no|not|under|over|put|other|up|by) |\\d)[a-z'-]+(?: [a-z'-]+)?"
const LIST = `(?:${ITEM}, ){1,8}${ITEM} or `
// regexp-ignore: dataset text, items are words apart from commas
const NOT_A_LIST = new RegExp(`\\bnot ((?:of )?${LIST})`, 'giu')
// regexp-ignore: dataset text, as NOT_A_LIST
const WITHOUT_A_LIST = new RegExp(`\\bwithout (${LIST})`, 'giu')
/**
 * A word of `NEGATING_WORDS` negates the next word. A word of `LIST_NEGATING_WORDS` negates a whole list, up to the next mark
 * or link.
 */
const NEGATING_WORDS = ['no', 'non', 'not', 'cannot', 'nor', 'غير']
const LIST_NEGATING_WORDS = ['without', 'neither', 'بدون', 'دون', 'بلا']
const LINKS = ['with', 'of', 'for', 'in', 'from', 'on', 'by', 'من', 'في', 'على', 'مع']
/** Starts a purpose ("for tractors"), which ends at the next mark. */
const PURPOSE_WORD = 'for'
const SPACE = 32
const LEADING_MARK = /^\(/u
const TRAILING_MARK = /[,;:)،؛]$/u
/** Words that folding only changes to lower case. */
const PLAIN = /^[A-Za-z]+$/

/** Term numbers: 0 and 1 are reserved, known terms follow. */
const UNKNOWN = 0
/** Punctuation counts as a term so that no phrase matches across it. */
const MARK = 1

/** Values and whether each is excluded, encoded as ascending numbers; src/catalog/classify/attributes.ts decodes them. */
type Statements = readonly number[]
const NO_STATEMENTS: Statements = []
const statement = (value: number, isExcluded: boolean): number => 2 * value + (isExcluded ? 1 : 0)
const valueOfStatement = (one: number): number => one >> 1

interface Phrase {
  terms: readonly number[]
  value: number
  isAtStart: boolean
  isUnlessNarrower: boolean
  afterFor: AfterFor
}

interface Match {
  value: number
  isUnlessNarrower: boolean
  at: number
  end: number
}
const NO_MATCHES: readonly Match[] = []

/** Pieces between spaces repeat from one description to the next, so each is folded once. */
class DescriptionReader {
  readonly #terms = new Map<string, number>()
  /** The phrases by their first term, longest first. */
  readonly #phrases: (Phrase[] | undefined)[] = []
  readonly #pieces = new SequenceTable()
  /** The terms of each piece, by the piece's number. */
  readonly #pieceTerms: (readonly number[])[] = []
  readonly #codes = new GrowingArray()
  readonly #negatingTerms: ReadonlySet<number>
  readonly #listNegatingTerms: ReadonlySet<number>
  readonly #links: ReadonlySet<number>
  readonly #or: number
  readonly #not: number
  readonly #for: number
  /** Terms of the text being read. */
  readonly #text: number[] = []

  constructor(
    values: readonly AttributeValueRow[],
    /** The attribute of each value. */
    private readonly attributeOf: readonly number[],
    /** By value: the value that includes it, or -1. */
    private readonly broader: readonly number[],
    attributes: readonly AttributeRow[],
    private readonly stemmer: Stemmer,
  ) {
    values.forEach(({ phrases }, value) => {
      const { afterFor } = attributes[attributeOf[value]]
      for (const phrase of phrases) {
        const terms = phrase.terms.map(term => this.#number(term))
        this.#phrases[terms[0]] ??= []
        this.#phrases[terms[0]]?.push({ ...phrase, terms, value, afterFor })
      }
    })
    for (const same of this.#phrases) same?.sort((a, b) => b.terms.length - a.terms.length)
    const termNumbers = (words: readonly string[]) => new Set(words.map(word => this.#number(stemmer.stem(word))))
    this.#negatingTerms = termNumbers(NEGATING_WORDS)
    this.#listNegatingTerms = termNumbers(LIST_NEGATING_WORDS)
    this.#links = new Set([MARK, ...termNumbers(LINKS)])
    this.#or = this.#number('or')
    this.#not = this.#number('not')
    this.#for = this.#number(PURPOSE_WORD)
  }

  #number(term: string): number {
    const number = this.#terms.get(term) ?? this.#terms.size + MARK + 1
    this.#terms.set(term, number)
    return number
  }

  read(text: string): Statements {
    const { kept, excluded } = splitExclusions(withLists(text.includes('hether') ? text.replace(WHETHER_OR_NOT, ' ') : text))
    const found: number[] = []
    this.#readTerms(kept)
    const matches = this.#matches()
    for (const { value, isUnlessNarrower, at } of matches)
      if (!isUnlessNarrower || !matches.some(other => this.#isNarrower(other.value, value)))
        addStatement(value, this.#isNegated(at), found)
    for (const part of excluded) this.#takeExcluded(part, found)
    return found.length === 0 ? NO_STATEMENTS : found.sort((a, b) => a - b)
  }

  #isNarrower(value: number, than: number): boolean {
    const broader = this.broader[value]
    return broader >= 0 && (broader === than || this.#isNarrower(broader, than))
  }

  /**
   * Reads an exclusion. In "other than lambs, fresh or chilled", the words "fresh or chilled" describe the goods, not the
   * exclusion, because this part of the list contains nothing else.
   */
  #takeExcluded(text: string, found: number[]): void {
    this.#readTerms(text)
    const matches = this.#matches()
    const firstMark = this.#text.indexOf(MARK)
    for (const { value, at } of matches) {
      const attribute = this.attributeOf[value]
      const own = matches.filter(one => this.attributeOf[one.value] === attribute)
      if (firstMark < 0 || own[0].at < firstMark) addStatement(value, true, found)
      else if (this.#isWholePart(at, own)) addStatement(value, false, found)
    }
  }

  /** Whether the matches cover the whole part of the list at `at`. */
  #isWholePart(at: number, matches: readonly Match[]): boolean {
    const terms = this.#text
    const start = terms.lastIndexOf(MARK, at) + 1
    for (let i = start; i < terms.length && terms[i] !== MARK; i++)
      if (terms[i] !== this.#or && !matches.some(one => i >= one.at && i < one.end)) return false
    return true
  }

  #isNegated(at: number): boolean {
    const terms = this.#text
    if (at > 0 && this.#negatingTerms.has(terms[at - 1])) return true
    let before = at - 1
    while (before >= 0 && !this.#links.has(terms[before]) && !this.#listNegatingTerms.has(terms[before])) before--
    return before >= 0 && this.#listNegatingTerms.has(terms[before])
  }

  /** The values that the current terms state, and where. */
  #matches(): readonly Match[] {
    const terms = this.#text
    let matches: Match[] | undefined
    let isPurpose = false
    /** Whether a purpose ended at the previous mark; a list of purposes may continue after the mark. */
    let goesOn = false
    for (let at = 0; at < terms.length; at++) {
      if (terms[at] === MARK) {
        goesOn ||= isPurpose
        isPurpose = false
        continue
      }
      if (terms[at] === this.#for) isPurpose = true
      const phrases = terms[at] > MARK ? this.#phrases[terms[at]] : undefined
      // the purpose may continue: "for tractors, buses and lorries"
      if (goesOn && !isPurpose)
        isPurpose = phrases?.some(one => one.afterFor === 'only' && startsWith(terms, at, one.terms)) ?? false
      goesOn = false
      if (phrases === undefined) continue
      for (const { terms: stating, value, isAtStart, isUnlessNarrower, afterFor } of phrases) {
        if (afterFor === (isPurpose ? '' : 'only') || (isAtStart && at > 0) || !startsWith(terms, at, stating)) continue
        const attribute = this.attributeOf[value]
        // skip a phrase inside another match of the same attribute
        if (matches?.some(one => at < one.end && this.attributeOf[one.value] === attribute)) continue
        const end = at + stating.length
        // "roasted or not" states nothing
        if (terms[end] === this.#or && terms[end + 1] === this.#not) continue
        matches ??= []
        matches.push({ value, isUnlessNarrower, at, end })
      }
    }
    return matches ?? NO_MATCHES
  }

  #readTerms(text: string): void {
    this.#text.length = 0
    this.#codes.clear()
    for (let i = 0; i < text.length; i++) this.#codes.push(text.charCodeAt(i))
    const codes = this.#codes.values
    for (let start = 0; start < text.length; ) {
      let end = start
      while (end < text.length && codes[end] !== SPACE) end++
      const piece = this.#pieces.add(codes, start, end)
      this.#pieceTerms[piece] ??= this.#termsOfPiece(text.slice(start, end))
      for (const term of this.#pieceTerms[piece]) this.#text.push(term)
      start = end + 1
    }
  }

  #termsOfPiece(piece: string): readonly number[] {
    const terms = PLAIN.test(piece) ? [this.stemmer.stem(piece.toLowerCase())] : this.stemmer.terms(piece)
    const numbers = terms.map(term => this.#terms.get(term) ?? UNKNOWN)
    if (LEADING_MARK.test(piece)) numbers.unshift(MARK)
    if (TRAILING_MARK.test(piece)) numbers.push(MARK)
    return numbers
  }
}

/**
 * "not oak, beech or birch" excludes all three, like "other than"; "not knitted, of cotton or wool" excludes only the first.
 * "without pearls, stones or metal" always excludes all three.
 */
function withLists(text: string): string {
  if (!text.includes('not ') && !text.includes('without ')) return text
  return text
    .replace(NOT_A_LIST, (_, list: string) => `other than ${list}`)
    .replace(WITHOUT_A_LIST, (_, list: string) => `other than ${list.replaceAll(', ', ' or ')}`)
}

function startsWith(terms: readonly number[], at: number, phrase: readonly number[]): boolean {
  for (let i = 1; i < phrase.length; i++) if (terms[at + i] !== phrase[i]) return false
  return true
}

/** If a description both states and excludes a value, it counts as stated. */
function addStatement(value: number, isExcluded: boolean, found: number[]): void {
  const place = found.findIndex(one => valueOfStatement(one) === value)
  if (place < 0) found.push(statement(value, isExcluded))
  else if (!isExcluded) found[place] = statement(value, false)
}

export function buildAttributes(
  attributes: readonly AttributeRow[],
  values: readonly AttributeValueRow[],
  records: readonly BuildRecord[],
  stemmer: Stemmer,
) {
  const places = new Map(attributes.map(({ attribute }, i) => [attribute, i]))
  const attributeOf = values.map(({ attribute }) => places.get(attribute) as number)
  const meta = valuesMeta(values, attributeOf)
  const broader = meta.map(value => value.broader)
  const reader = new DescriptionReader(values, attributeOf, broader, attributes, stemmer)
  const scopes = attributes.map(({ codes }) => new Set(codes))
  const isRead = (one: number, code: string) => {
    const scope = scopes[attributeOf[valueOfStatement(one)]]
    return scope.has(chapterOf(code)) || scope.has(headingOf(code))
  }
  const byText = new Map<string, Statements>()
  const all: Statements[] = []
  const attributeAt = new Uint32Array(records.length + 1)
  const attributeValue: number[] = []
  records.forEach(({ code, en, ar, parent, source }, i) => {
    // a padded line shares the statements of its source
    if (source === i) {
      const text = en === '' ? ar : en
      const stated = byText.get(text) ?? reader.read(text)
      byText.set(text, stated)
      // a chapter keeps all its statements, because the heading decides which of them apply
      const own = code.length < HEADING_DIGITS ? stated : stated.filter(one => isRead(one, code))
      const above = parent < 0 ? NO_STATEMENTS : all[parent]
      const inherited = code.length === HEADING_DIGITS ? above.filter(one => isRead(one, code)) : above
      all.push(withInherited(own, inherited, one => attributeOf[valueOfStatement(one)]))
      for (const one of all[i]) attributeValue.push(one)
    } else all.push(all[source])
    attributeAt[i + 1] = attributeValue.length
  })
  return {
    meta: { attributes: attributes.map(attributeMeta), attributeValues: meta },
    columns: { attributeAt, attributeValue: Uint16Array.from(attributeValue) },
  }
}

/** A code inherits the attributes that its own description does not mention. */
function withInherited(own: Statements, above: Statements, attributeOf: (one: number) => number): Statements {
  if (above.length === 0) return own
  if (own.length === 0) return above
  const inherited = above.filter(one => !own.some(other => attributeOf(other) === attributeOf(one)))
  return inherited.length === 0 ? own : [...own, ...inherited].sort((a, b) => a - b)
}

function attributeMeta({ question, yesNo, answer, other, isAbsentUnlessStated, across, hasShares }: AttributeRow): Attribute {
  const meta = { question, yesNo, answer, other, isAbsentUnlessStated, across }
  return hasShares ? { ...meta, hasShares } : meta
}

function valuesMeta(values: readonly AttributeValueRow[], attributeOf: readonly number[]): AttributeValue[] {
  const places = new Map(values.map(({ attribute, value }, i) => [`${attribute} ${value}`, i]))
  return values.map(({ attribute, value: own, broader, name, phrases }, value) => ({
    attribute: attributeOf[value],
    broader: broader === '' ? -1 : (places.get(`${attribute} ${broader}`) as number),
    isOther: own === OTHER_VALUE,
    name,
    phrases: phrases.map(({ terms }) => terms.join(' ')),
  }))
}
