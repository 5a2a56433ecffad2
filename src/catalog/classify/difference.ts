/**
 * How descriptions differ, in their own words: "Tyres for buses", "Tyres for aircraft" → Tyres: "For buses", "For aircraft".
 */
import { splitExclusions } from '../../text/exclusions.js'

const ANSWER_CHARS_MAX = 110
/** Maximum length of the common start, which names the goods before the question. */
export const LEAD_CHARS_MAX = 80
/** An exclusion at the end of a text is kept if the text is not longer than this. */
const EXCLUSION_CHARS = 70
/** Minimum length of a text that is cut after a clause. */
const CLAUSE_CHARS_MIN = 40
const ELLIPSIS = '…'

/** A text may be cut before one of these words, not after it. */
const LINKS: ReadonlySet<string> = new Set(
  [
    'for of with without in on from by to under over above below up not other except having containing that which at used put',
    'fitted based between less more exceeding into made whether weighing measuring only neither no',
    'من في على إلى عن بدون دون بلا عدا غير لغير ذات ذو مع حتى بعرض بسمك بسماكة بسعة بقدرة بوزن وزنه وزنها قدرتها قدرته سعتها سعته',
    'فيها فيه بها به تزيد يزيد تتجاوز يتجاوز لا أقل أكثر تحتوي يحتوي مضاف معد معدة باستثناء بخلاف بنسبة بشكل لم مما',
  ].flatMap(words => words.split(' ')),
)
/** A text is not cut after these words either. */
const INCOMPLETE_ENDINGS: ReadonlySet<string> = new Set(
  [
    'and or free resistant suitable fit consisting covered coated impregnated filled mounted impressed sweetened packed',
    'أو و خالية خال خالي مقاومة مقاوم صالحة صالح قابلة قابل مخصصة مخصص مصنوعة مصنوع محتوية محتو مكونة مزودة مزود مغطاة مطلية مشربة',
    'تعمل يعمل محلاة محلى مهيأة مهيأ معبأة معبأ مجهزة مجهز',
  ].flatMap(words => words.split(' ')),
)
const LIST_WORDS: ReadonlySet<string> = new Set(['and', 'or', 'أو'])
const EXCLUDING_WORDS: ReadonlySet<string> = new Set('without not no neither other except عدا غير دون بدون بلا خالية'.split(' '))
/** Words that mean nothing without the words after them: "of materials other than cotton". */
const OPEN_WORDS: ReadonlySet<string> = new Set(
  'materials material fibres kinds forms types uses purposes is are مواد ألياف أنواع أغراض'.split(' '),
)
/** Arabic prepositions that are written as one word with the article. */
const JOINED_LINKS = ['لل', 'بال']
const MARKS = ',،;؛:'
const DIGIT = /^\p{N}/u

export interface Difference {
  /** Common start of the texts; '' if they have none. */
  lead: string
  /** The rest of each text. If the texts are all different, so are the rests. */
  rests: string[]
}

/** `above`: the description of the code above all the compared codes, or ''. */
export function differenceOf(texts: readonly string[], above: string): Difference {
  const shortened = withoutLongExclusions(texts, above)
  for (const candidate of [partsThatDiffer(shortened), { lead: '', rests: shortened }]) {
    const rests = candidate.rests.map(rest => sentence(shorten(rest, ANSWER_CHARS_MAX)))
    if (areDistinct(rests)) return { lead: shorten(candidate.lead, LEAD_CHARS_MAX), rests }
  }
  return { lead: '', rests: [...texts] }
}

/** A description without an exclusion at its end. */
export function withoutFinalExclusion(text: string): string {
  const kept = withoutMark(splitExclusions(text).kept.trimEnd())
  const last = kept.slice(kept.lastIndexOf(' ') + 1)
  const isWhole = isBalanced(kept) && !OPEN_WORDS.has(last) && !isLink(last) && !INCOMPLETE_ENDINGS.has(last)
  return isWhole && text.startsWith(kept) ? kept : text
}

function partsThatDiffer(texts: readonly string[]): Difference {
  const all = texts.map(text => text.split(' '))
  const start = commonStart(all)
  const rests = all.map(words => words.slice(start))
  const end = commonEnd(rests)
  return {
    lead: withoutMark(all[0].slice(0, start).join(' ')),
    rests: rests.map(words => withoutMark(words.slice(0, words.length - end).join(' '))),
  }
}

/** Length of the common start in words. The start ends where all texts may be cut. */
function commonStart(all: readonly string[][]): number {
  const shortest = Math.min(...all.map(words => words.length))
  let same = 0
  while (same < shortest && all.every(words => words[same] === all[0][same])) same++
  for (let at = Math.min(same, shortest - 1); at > 0; at--) {
    const before = all[0][at - 1]
    if (isLink(before) || INCOMPLETE_ENDINGS.has(before) || !isBalanced(all[0].slice(0, at).join(' '))) continue
    // an exclusion that all texts have does not distinguish them
    if (EXCLUDING_WORDS.has(all[0][at]) && at + 1 < same) continue
    const opensLink = (words: readonly string[]) => isLink(words[at]) || DIGIT.test(words[at])
    if (isInExclusion(all[0], at) && !all.some(opensLink)) continue
    if (all.every(opensLink) || (endsWithMark(before) && !all.some(words => words.includes('and', at)))) return at
  }
  return 0
}

/** Length of the common end in words. The end starts where all texts may be cut. */
function commonEnd(all: readonly string[][]): number {
  const shortest = Math.min(...all.map(words => words.length))
  const last = (words: readonly string[], n: number) => words[words.length - n]
  let same = 0
  while (same < shortest - 1 && all.every(words => last(words, same + 1) === last(all[0], same + 1))) same++
  for (let n = same; n > 0; n--) {
    const words = all[0]
    if (!isBalanced(words.slice(words.length - n).join(' '))) continue
    if (all.some(one => isLink(last(one, n + 1)))) continue
    if (last(words, n) === 'for') return n
    // a list may continue after a comma
    const isList = !isLink(last(words, n)) && words.slice(words.length - n).some(word => LIST_WORDS.has(word))
    if (!isList && all.every(one => endsWithMark(last(one, n + 1)))) return n
  }
  return 0
}

/** Whether a word after a comma may continue a list of exclusions. */
function isInExclusion(words: readonly string[], at: number): boolean {
  if (!endsWithMark(words[at - 1])) return false
  let start = at - 1
  while (start > 0 && !endsWithMark(words[start - 1])) start--
  return words.slice(start, at).some(word => EXCLUDING_WORDS.has(word))
}

function endsWithMark(text: string): boolean {
  return text !== '' && MARKS.includes(text[text.length - 1])
}

function withoutMark(text: string): string {
  return endsWithMark(text) ? withoutMark(text.slice(0, -1).trimEnd()) : text
}

function isLink(word: string): boolean {
  return LINKS.has(word) || JOINED_LINKS.some(link => word.startsWith(link))
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (char === '(') depth++
    else if (char === ')' && --depth < 0) return false
  }
  return depth === 0
}

/** An exclusion is kept if the text without it would include the goods of another text. */
function withoutLongExclusions(texts: readonly string[], above: string): string[] {
  let words: Set<string>[] | undefined
  return texts.map((text, own) => {
    const kept = text.length > EXCLUSION_CHARS ? withoutFinalExclusion(text) : text
    if (kept === text) return text
    words ??= [...texts, above].map(one => new Set(plainWords(one)))
    const keptWords = plainWords(kept)
    return words.some((other, i) => i !== own && keptWords.every(word => other.has(word))) ? text : kept
  })
}

function plainWords(text: string): string[] {
  return text.toLowerCase().split(' ').map(withoutMark)
}

/** Cuts after a clause, or else between words. */
function shorten(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const start = text.slice(0, charsMax - 1)
  for (let end = start.length - 1; end >= CLAUSE_CHARS_MIN; end--) {
    const cut = start.slice(0, end)
    if (MARKS.includes(start[end]) && isBalanced(cut)) return `${cut}${ELLIPSIS}`
  }
  const space = start.lastIndexOf(' ')
  return `${start.slice(0, space > 0 ? space : undefined)}${ELLIPSIS}`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function areDistinct(texts: readonly string[]): boolean {
  return !texts.includes('') && new Set(texts).size === texts.length
}
