/** Finds codes for texts, and checks whether texts and codes agree: one item or a list. */
import { decisionFields } from '../answers/classified.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CountryView } from '../catalog/countries.js'
import { AGENT_ITEMS_MAX } from '../limits.js'
import { type ClassifyItem, classify, readItem, readTerms, type SharedTerms } from '../questions/classify.js'
import { readCountry } from '../questions/country.js'
import { invalidParameter, Refusal } from '../questions/refusal.js'
import { type Answer, answer, codeFields, type ListAnswer, line, listAnswer, refused, short, type Worded } from './answer.js'
import { candidateFields, candidateLine, LIST_CHARS_MAX, questionFields, questionLines } from './candidates.js'
import { readWritten, type WrittenCode } from './codes.js'

/**
 * Maximum number of candidates for each text: of a single text, of a short list and of a longer list. Answers to lists must
 * stay short.
 */
const CANDIDATES_MAX = 5
const CANDIDATES_IN_LIST = 3
const CANDIDATES_IN_LONG_LIST = 2
const LONG_LIST = 6
const TITLE_CHARS = 60

interface GoodsQuestion extends Worded {
  texts: string[]
  within?: WrittenCode | WrittenCode[]
  level?: number
  country?: string
}

export function classifyGoods(catalog: Catalog, question: GoodsQuestion): Answer | ListAnswer {
  const { texts, level, language = 'en', country } = question
  const isList = texts.length > 1
  const charsMax = texts.length < LONG_LIST ? undefined : LIST_CHARS_MAX
  const limit = isList ? (texts.length < LONG_LIST ? CANDIDATES_IN_LIST : CANDIDATES_IN_LONG_LIST) : CANDIDATES_MAX
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  const terms = readTerms(level, limit)
  if (terms instanceof Refusal) return refused(terms)
  const within = readWithin(catalog, question.within)
  if (within instanceof Refusal) return refused(within)
  const items: ClassifyItem[] = []
  for (const [i, text] of texts.entries()) {
    const item = readItem(catalog, { text, within }, terms)
    if (item instanceof Refusal) return refused(atPlace(item, `texts[${i}]`))
    items.push(item)
  }
  return listAnswer(
    items,
    item => {
      const { text, status, candidates, question: decides, missing, decision } = classify(catalog, item, view)
      // a safe proposal needs no alternatives; in a list, the answers to the question name the alternatives
      const isEnough = status === 'clear' || decision?.problem === null || (isList && decides !== undefined)
      const shown = isEnough ? candidates.slice(0, 1) : candidates
      return {
        text: short(text, TITLE_CHARS),
        status,
        candidates: shown.map(candidate => candidateFields(catalog, candidate, language, view, charsMax)),
        ...(decides !== undefined && { question: questionFields(decides, language) }),
        ...(missing !== undefined && { missing: language === 'ar' ? missing.ar : missing.en }),
        ...(decision !== undefined && { decision: decisionFields(decision) }),
      }
    },
    all => {
      const forList = all.some(({ decision }) => decision !== undefined) ? `${LIST_NEXT} ${DECIDED_NEXT}` : LIST_NEXT
      const next = isList ? forList : nextStep(all[0])
      return answer([...all.flatMap(classifiedLines), next], { items: all })
    },
  )
}

const LIST_NEXT =
  'clear: propose the first without asking. choose: take the candidate that fits the words, and say that it is not certain. ' +
  'ask: if the text or the user gave the answer, take it, else ask; call again with that text alone and the `within` of the answer. unknown: describe the goods in plainer words.'

interface ClassifiedFields {
  text: string
  status: string
  candidates: ReturnType<typeof candidateFields>[]
  question?: ReturnType<typeof questionFields>
  missing?: string
  decision?: ReturnType<typeof decisionFields>
}

const DECIDED_NEXT =
  'decided: use the first; the company itself decided on it. If the decision has a problem, tell the user that the decision no longer fits.'

function nextStep({ status, candidates, question, missing, decision }: ClassifiedFields): string {
  const codes = candidates.map(({ hs_code }) => hs_code)
  if (decision !== undefined)
    return decision.problem === null
      ? `Use ${codes[0]}: it is the company's own decision.`
      : `Tell the user that the company's own decision no longer fits (${decision.problem}), and ask for a new one.`
  if (status === 'clear') return `Propose ${codes[0]} without asking; get_hs_code shows its notes and the line to declare.`
  if (question !== undefined)
    return 'If the text or the user has said which answer applies, take it; else ask the user. Then call again with this text and the `within` of the answer.'
  if (missing !== undefined) return `Ask the user for what is missing: ${missing}. Then call again with the answer in the text.`
  if (status === 'unknown') return 'Say what the goods are in plainer words: what they are, of which material, for what use.'
  return `Choose the code whose words fit${codes.length > 1 ? `, or compare ${codes.slice(0, 3).join(', ')} with compare_hs_codes first` : ''}; say that it is not certain.`
}

function classifiedLines({ text, status, candidates, question, decision }: ClassifiedFields): string[] {
  return [
    `"${text}": ${status}`,
    ...(decision === undefined ? [] : [decisionLine(decision)]),
    ...candidates.map(candidateLine),
    ...(question === undefined ? [] : questionLines(question)),
  ]
}

function decisionLine({ code, who, day, why, problem }: ReturnType<typeof decisionFields>): string {
  return `${code} was decided by ${who} on ${day}${why === '' ? '' : `: ${why}`}${problem === null ? '' : `; problem: ${problem}`}`
}

/** Codes that remain after an answer to a question; a model may write them as numbers. */
function readWithin(catalog: Catalog, sent: WrittenCode | WrittenCode[] = []): string[] | undefined | Refusal {
  const codes: string[] = []
  for (const one of Array.isArray(sent) ? sent : [sent]) {
    const record = readWritten(catalog, one)
    if (record instanceof Refusal) return record
    codes.push(catalog.records.code(record))
  }
  return codes.length === 0 ? undefined : codes
}

function atPlace({ name, message }: Refusal, parameter: string): Refusal {
  return new Refusal(name, message.replace('parameter text', `parameter ${parameter}`), { parameter })
}

interface PairFields {
  text?: string | undefined
  code?: WrittenCode | undefined
}

interface VerifyQuestion extends Worded, PairFields {
  items?: PairFields[]
  country?: string
}

interface Pair {
  text: string
  code: WrittenCode
  /** A refusal is part of the answer, so that the other items are still answered. */
  item: ClassifyItem | Refusal
}

const AGAINST_MAX = 3
const AGAINST_MAX_IN_LIST = 1
/** Minimum score of a candidate that is called better than the code; one with a lower score is a guess. */
const BETTER_SCORE = 0.25
const VAGUE = 'The text says too little to confirm the code; ask what the goods are, of which material and for what use.'
const NEXT = {
  agrees: 'The text supports the code.',
  doubtful: 'Another code fits better; check with compare_hs_codes, or ask for the facts that the text does not state.',
  contradicts: 'The text names other goods; do not use this code unless the user explains it.',
}

export function verifyCodes(catalog: Catalog, question: VerifyQuestion): Answer | ListAnswer {
  const { text, code, items = [{ text, code }], language = 'en', country } = question
  const view = readCountry(catalog, { country })
  if (view instanceof Refusal) return refused(view)
  if (question.items !== undefined && (text !== undefined || code !== undefined))
    return refused(invalidParameter('items', 'is for a list: send either items, or text and code, but not both'))
  const terms = readTerms(undefined, items.length === 1 ? AGAINST_MAX : AGAINST_MAX_IN_LIST)
  if (terms instanceof Refusal) return refused(terms)
  const pairs: Pair[] = []
  for (const [i, sent] of items.entries()) {
    const pair = readPair(catalog, sent, terms, question.items === undefined ? '' : `items[${i}].`)
    if (pair instanceof Refusal) return refused(pair)
    pairs.push(pair)
  }
  return listAnswer(
    pairs,
    pair => verifiedFields(catalog, pair, language, view),
    all => answer(all.flatMap(verifiedLines), all.length === 1 ? { ...all[0] } : { items: all }),
  )
}

/** Refuses a pair with a missing field. For a code that cannot be read, the pair contains the refusal. */
function readPair(catalog: Catalog, { text, code }: PairFields, terms: SharedTerms, prefix: string): Pair | Refusal {
  if (text === undefined || code === undefined)
    return invalidParameter(
      `${prefix}${text === undefined ? 'text' : 'code'}`,
      `is missing: send text and code, or 1 to ${AGENT_ITEMS_MAX} such pairs in items`,
    )
  const record = readWritten(catalog, code)
  if (record instanceof Refusal) return { text, code, item: record }
  const item = readItem(catalog, { text, hs_code: catalog.records.code(record) }, terms)
  return item instanceof Refusal ? atPlace(item, `${prefix}text`) : { text, code, item }
}

function verifiedFields(catalog: Catalog, pair: Pair, language: Worded['language'] = 'en', view: CountryView | undefined) {
  const { text, code, item } = pair
  const title = short(text, TITLE_CHARS)
  if (item instanceof Refusal) return { text: title, code: String(code), verdict: 'unreadable' as const, reason: item.message }
  const { verdict } = classify(catalog, item)
  const status = verdict?.status ?? 'agrees'
  return {
    text: title,
    ...codeFields(catalog, item.record, language, 2 * TITLE_CHARS),
    verdict: status,
    against: (verdict?.against ?? []).map(candidate => ({
      ...candidateFields(catalog, candidate, language, view),
      is_better: candidate.score >= BETTER_SCORE,
    })),
  }
}

function verifiedLines(fields: ReturnType<typeof verifiedFields>): string[] {
  if (!('against' in fields)) return [`"${fields.text}" and ${fields.code}: ${fields.verdict}. ${fields.reason}`]
  const { text, verdict, against } = fields
  const next = verdict === 'doubtful' && !against.some(one => one.is_better) ? VAGUE : NEXT[verdict]
  return [
    `"${text}" and ${line(fields)}: ${verdict}. ${next}`,
    ...against.map(({ is_better, ...candidate }) => `${is_better ? 'better' : 'a guess'}: ${candidateLine(candidate)}`),
  ]
}
