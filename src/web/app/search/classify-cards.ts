/** Candidates side by side: what tells them apart, what of the title they have, and what their headings say of them. */

import type { Candidate, Note } from '../../../answers/shapes.js'
import { HEADING_DIGITS, SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { words } from '../../../text/fold.js'
import { toCode } from '../data/address.js'
import { ask, type Code } from '../data/api.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { type Child, fill, fillText, h, isolated, markedPieces, replace } from '../dom/dom.js'
import { badge, code, inLang, ourWords } from '../dom/parts.js'
import { lang, other } from '../shared/language.js'
import { EMPTY, Marker } from '../text/mark.js'
import { stemmer } from '../text/stemmer.js'
import { type Range, tellApart } from '../text/tell-apart.js'
import { classifyStrings } from './classify-strings.js'

const s = classifyStrings[lang]

const NOTES_MAX = 2
/** From which score on each of the words holds; see the table in docs/classify.md. */
const SCORES = [0, 0.2, 0.5, 0.8]

export function scoreText(score: number): string {
  const said = s.scores[SCORES.filter(from => score >= from).length - 1] ?? ''
  const percent = Math.round(score * 100)
  return fillText(s.score, { words: said, percent: percent < 1 ? s.underOne : percent })
}

/** Bold what tells it apart, marked what is in the title. */
function told(text: string, ranges: readonly Range[], marker: Marker | null): Child[] {
  const marked = (piece: string) => (marker ? markedPieces(marker.pieces(piece)) : [piece])
  const pieces: Child[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(marked(text.slice(from, start)), h('b', {}, marked(text.slice(start, end))))
    from = end
  }
  return [...pieces, marked(text.slice(from))]
}

const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text)
const isRelated = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)

const termsOf = (text: string) =>
  words(text)
    .filter(one => !EMPTY.has(one))
    .flatMap(one => stemmer.terms(one))

/** Notes that send these goods elsewhere: to another candidate, or by words of the title that the candidate itself has not. */
function exclusions(notes: readonly Note[], foreign: ReadonlySet<string>, own: string, codes: readonly string[]): Note[] {
  const others = codes.filter(one => !isRelated(one, own))
  const excluding = notes.filter(({ kind }) => kind === 'excludes')
  const toOthers = excluding.filter(({ goes_to }) => goes_to.some(to => others.some(one => isRelated(one, to))))
  const named = excluding.filter(({ text }) => stemmer.terms(`${text.en} ${text.ar}`).some(term => foreign.has(term)))
  return [...new Set([...toOthers, ...named])].slice(0, NOTES_MAX)
}

const note = ({ text, goes_to }: Note) =>
  h(
    'li',
    {},
    ourWords(text),
    goes_to.length > 0 && [' ', fill(s.goesTo, { codes: goes_to.map((one, at) => [at > 0 && ' ', code(one)]) })],
  )

interface Card {
  candidate: Candidate
  element: HTMLElement
  /** Adds what the code above it says. */
  fill: (above: Code) => void
}

function card(
  title: string,
  candidate: Candidate,
  ranges: readonly Range[],
  codes: readonly string[],
  way: (hsCode: string) => string,
  isLine: boolean,
): Card {
  const { hs_code, description, tariff_rate, score, matched } = candidate
  const marker = matched.length > 0 ? new Marker(matched.join(' ')) : null
  const which = description[lang] ? lang : other
  const second = isArabic(title) === (lang === 'ar') ? '' : description[other]
  const rate = h('span', { class: 'card-rate' }, badge(tariff_rate))
  const path = h('ol', { class: 'card-path', hidden: true })
  const notes = h('div', { class: 'card-notes', hidden: true })
  const element = h(
    'li',
    { 'data-code': hs_code },
    h('p', { class: 'card-head' }, h('a', { href: toCode(hs_code) }, code(hs_code)), rate),
    h('p', { class: 'card-words' }, inLang(description, which, told(description[which], ranges, marker))),
    second !== '' && which === lang && h('p', { class: 'card-second' }, inLang(description, other, told(second, [], marker))),
    h(
      'p',
      { class: 'card-score' },
      h('progress', { max: 1, value: score, 'aria-hidden': 'true' }),
      h('span', {}, scoreText(score)),
    ),
    matched.length > 0 &&
      h(
        'p',
        { class: 'card-matched' },
        fill(s.matched, { words: matched.map((one, at) => [at > 0 && (lang === 'ar' ? '، ' : ', '), isolated(one)]) }),
      ),
    path,
    notes,
    h(
      'p',
      { class: 'card-pick' },
      h(
        'a',
        { class: codes.length === 1 ? 'button button-strong' : 'button', href: way(hs_code) },
        fill(isLine ? s.pickLine : s.pick, { code: code(hs_code) }),
      ),
    ),
  )
  const own = new Set(termsOf([...matched, description.en, description.ar].join(' ')))
  const foreign = new Set(termsOf(title).filter(term => !own.has(term)))
  const fillCard = (above: Code) => {
    const same = [...(above.children?.items ?? []), ...(above.lines?.items ?? [])].find(one => one.hs_code === hs_code)
    if (same) replace(rate, badge(same.tariff_rate, same.rate))
    // lines of one subheading are all at the same place
    path.hidden = isLine
    replace(
      path,
      [...(above.path ?? []), above].map(step => h('li', {}, code(step.hs_code), ' ', ourWords(step.description))),
    )
    const excluding = exclusions(above.notes?.items ?? [], foreign, hs_code, codes)
    notes.hidden = excluding.length === 0
    if (excluding.length > 0) replace(notes, h('p', {}, s.excluded), h('ul', {}, excluding.map(note)))
  }
  return { candidate, element, fill: fillCard }
}

export class Cards {
  readonly element: HTMLElement
  readonly #cards: readonly Card[]
  readonly #isLine: boolean

  /** `way`: where choosing a code leads. */
  constructor(title: string, shown: readonly Candidate[], way: (hsCode: string) => string, isLine: boolean) {
    const texts = shown.map(({ description }) => description[lang] || description[other])
    const ranges = shown.length > 1 ? tellApart(texts, true) : []
    const codes = shown.map(({ hs_code }) => hs_code)
    this.#isLine = isLine
    this.#cards = shown.map((one, at) => card(title, one, ranges[at] ?? [], codes, way, isLine))
    this.element = h(
      'ul',
      { class: 'candidates' },
      this.#cards.map(({ element }) => element),
    )
  }

  /** Paths, ranges of rates and notes come with the codes above, one request each; not where few requests are left. */
  async load(signal: AbortSignal): Promise<void> {
    const digits = this.#isLine ? SUBHEADING_DIGITS : HEADING_DIGITS
    const include = `path,rate,notes,${this.#isLine ? 'lines' : 'children'}`
    for (const above of new Set(this.#cards.map(({ candidate }) => candidate.hs_code.slice(0, digits)))) {
      if (pause(true) === null) return
      const answer = await ask<Code>(query(`hs-codes/${above}`, { include }), { signal }).catch(() => null)
      if (answer?.kind !== 'ok') return
      for (const one of this.#cards) if (one.candidate.hs_code.startsWith(above)) one.fill(answer.data)
    }
  }
}
