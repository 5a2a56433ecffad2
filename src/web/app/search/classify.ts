/** Guided choice: a title becomes candidates side by side, the question that decides between them, and in the end a line. */
import type { Candidate, Classified, ClassifyQuestion } from '../../../answers/shapes.js'
import { type Route, toBrowse, toClassify, toCode, toSearch } from '../data/address.js'
import { ask, type Code } from '../data/api.js'
import { withoutPadded } from '../data/padded.js'
import { query } from '../data/query.js'
import { announce, type Child, fill, h, isolated, replace } from '../dom/dom.js'
import { badge, code, inLang, ourWords } from '../dom/parts.js'
import { Slot, skeleton } from '../dom/slot.js'
import { notice } from '../dom/states.js'
import { copyButton } from '../dom/take-along.js'
import { lang, ours, t } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { Cards } from './classify-cards.js'
import { askStages, readSteps, type Step, stepChips, subheadingOf, writeSteps } from './classify-steps.js'
import { classifyStrings } from './classify-strings.js'

const s = classifyStrings[lang]

const TEXT_MAX = 500
/** Below this a candidate is shown only on request, unless it is one of the best two or an answer leads to it. */
const SHOWN_FROM_SCORE = 0.05

type ClassifyRoute = Extract<Route, { page: 'classify' }>

export function classifyView(page: Page, first: ClassifyRoute): View {
  const classify = new ClassifyPage(page)
  const titleOf = (text: string) => (text === '' ? t.classifyTitle : `${t.classifyTitle}: ${text}`)
  const view: View = { title: titleOf(first.text) }
  view.update = route => {
    if (route.page !== 'classify') return false
    view.title = titleOf(route.text)
    classify.show(route)
    return true
  }
  view.leave = () => classify.leave()
  classify.show(first)
  return view
}

class ClassifyPage {
  readonly #page: Page
  readonly #box = h('textarea', {
    id: 'goods',
    rows: 2,
    dir: 'auto',
    maxlength: TEXT_MAX,
    placeholder: s.hint,
    enterkeyhint: 'go',
    required: true,
  })
  readonly #place = h('div', { class: 'classify-place' })
  readonly #slot = new Slot(this.#place)
  #details = new AbortController()
  #shownText = ''

  constructor(page: Page) {
    this.#page = page
    const form = h(
      'form',
      { class: 'classify-form', onsubmit: (event: Event) => this.#submit(event) },
      h('label', { for: 'goods' }, s.box),
      this.#box,
      h('button', { class: 'button button-strong' }, s.go),
    )
    // a title is one line, however it was pasted
    this.#box.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      form.requestSubmit()
    })
    replace(
      page.main,
      h(
        'header',
        { class: 'page-head' },
        h('h1', {}, t.classifyTitle),
        h('p', {}, s.text),
        h('p', { class: 'hint' }, s.honest, ' ', h('a', { href: `/docs/classify?lang=${lang}` }, s.howOften)),
      ),
      form,
      this.#place,
    )
  }

  #submit(event: Event): void {
    event.preventDefault()
    const text = this.#box.value.replace(/\s+/g, ' ').trim()
    if (text !== '') this.#page.go(toClassify(text))
  }

  leave(): void {
    this.#details.abort()
    this.#slot.stop()
  }

  show({ text, within }: ClassifyRoute): void {
    this.leave()
    const title = [...text].slice(0, TEXT_MAX).join('')
    const isOther = title !== this.#shownText
    this.#shownText = title
    this.#box.value = title
    if ([...title].length < 2) {
      replace(this.#place, title === '' ? this.#examples() : h('p', { class: 'hint' }, s.tooShort))
      return
    }
    const steps = readSteps(within)
    this.#slot.load<Classified[]>({
      ask: signal => askStages(title, steps, signal),
      ...((isOther || this.#place.querySelector('.candidates') === null) && { waiting: () => skeleton(6) }),
      show: stages => this.#draw(title, steps, stages),
      trouble: ({ kind }) =>
        kind === 'refused'
          ? notice(
              'refused',
              s.refusedTitle,
              s.refusedText,
              h('a', { class: 'button', href: toClassify(title) }, s.withoutAnswers),
            )
          : undefined,
    })
  }

  #examples(): Child {
    return h(
      'p',
      { class: 'classify-examples' },
      s.examples.map(one => h('a', { class: 'chip', href: toClassify(one) }, isolated(one))),
    )
  }

  #draw(title: string, steps: readonly Step[], stages: readonly Classified[]): void {
    this.#details = new AbortController()
    const stage = stages.at(-1) as Classified
    const subheading = subheadingOf(steps.at(-1))
    const only = stage.candidates.length === 1 ? stage.candidates[0] : undefined
    const isDone = subheading !== null && only !== undefined
    const way = (...codes: string[]) => toClassify(title, writeSteps([...steps, codes]))
    replace(
      this.#place,
      stepChips(title, steps, stages),
      isDone ? this.#line(only) : this.#choice(title, stage, subheading, way),
      stage.status !== 'unknown' && this.#otherWays(title, subheading, stage.candidates.length === 1),
    )
  }

  #choice(title: string, stage: Classified, subheading: string | null, way: (...codes: string[]) => string): Child {
    const { status, candidates, question } = stage
    const isLine = subheading !== null
    const [main, rest] = divide(stage, isLine)
    if (status === 'unknown')
      return [this.#unknown(title), this.#folded(s.guesses(candidates.length), title, candidates, way, isLine)]
    const cards = new Cards(title, main, way, isLine)
    void cards.load(this.#details.signal)
    const heading = question ? ours(question.text) : isLine ? s.chooseLine : status === 'clear' ? s.clear : s.choose
    announce(heading)
    return [
      h(
        'section',
        { class: 'classify-result', 'data-status': status },
        question
          ? this.#question(question, way)
          : [h('h2', {}, heading), h('p', { class: 'hint' }, status === 'clear' && !isLine ? s.clearText : s.chooseText)],
        question && h('h2', { class: 'classify-compared' }, s.compared),
        cards.element,
      ),
      this.#folded(s.unlikely(rest.length), title, rest, way, isLine),
    ]
  }

  #question({ text, answers }: ClassifyQuestion, way: (...codes: string[]) => string): HTMLElement {
    return h(
      'div',
      { class: 'classify-question' },
      h('h2', {}, ourWords(text)),
      h('p', { class: 'hint' }, s.askText),
      h(
        'div',
        { class: 'answers' },
        answers.map(answer => h('a', { class: 'button button-strong', href: way(...answer.within) }, ourWords(answer.text))),
      ),
    )
  }

  #folded(
    label: string,
    title: string,
    candidates: readonly Candidate[],
    way: (...codes: string[]) => string,
    isLine: boolean,
  ): Child {
    if (candidates.length === 0) return null
    const cards = new Cards(title, candidates, way, isLine)
    const { signal } = this.#details
    const details = h('details', { class: 'classify-rest' }, h('summary', {}, label), cards.element)
    details.addEventListener('toggle', () => void cards.load(signal), { once: true })
    return details
  }

  /** Its lines are one: nothing is left to choose. */
  #line(candidate: Candidate): Child {
    const { hs_code, description, tariff_rate } = candidate
    const rate = h('span', { class: 'card-rate' }, badge(tariff_rate))
    const path = h('ol', { class: 'card-path', hidden: true })
    const { signal } = this.#details
    void ask<Code>(query(`hs-codes/${hs_code}`, { include: 'path,rate' }), { signal }).then(
      answer => {
        if (answer.kind !== 'ok') return
        replace(rate, badge(answer.data.tariff_rate, answer.data.rate))
        path.hidden = false
        replace(
          path,
          withoutPadded(answer.data.path ?? []).map(step => h('li', {}, code(step.hs_code), ' ', ourWords(step.description))),
        )
      },
      () => {},
    )
    announce(`${s.lineTitle} ${hs_code}`)
    return h(
      'section',
      { class: 'classify-line' },
      h('h2', {}, s.lineTitle),
      h('p', { class: 'card-head' }, code(hs_code), rate),
      h('p', { class: 'card-words' }, ourWords(description)),
      h('p', { class: 'card-second' }, inLang(description, lang === 'ar' ? 'en' : 'ar')),
      path,
      h('p', { class: 'hint' }, s.lineText),
      h(
        'div',
        { class: 'row' },
        h('a', { class: 'button button-strong', href: toCode(hs_code) }, s.openLine),
        copyButton('line', s.copyLine, () => hs_code),
      ),
    )
  }

  #unknown(title: string): HTMLElement {
    announce(s.unknownTitle)
    return notice('unknown', s.unknownTitle, s.unknownText, searchLink(title))
  }

  #otherWays(title: string, subheading: string | null, isOne: boolean): Child {
    return h(
      'section',
      { class: 'classify-none' },
      h('h2', {}, isOne ? s.notRight : s.noneTitle),
      h('p', { class: 'hint' }, s.otherWords),
      h(
        'div',
        { class: 'row' },
        subheading !== null &&
          h('a', { class: 'button', href: toCode(subheading) }, fill(s.allLines, { code: code(subheading) })),
        searchLink(title),
        h('a', { class: 'button', href: toBrowse() }, t.toBrowse),
      ),
    )
  }
}

const searchLink = (title: string) => h('a', { class: 'button', href: toSearch(title) }, s.searchWords)

/** What is shown at once, and what on request. Of one subheading all lines are shown. */
function divide({ status, candidates, question }: Classified, isLine: boolean): [Candidate[], Candidate[]] {
  const answers = question?.answers.flatMap(({ within }) => within) ?? []
  const isShown = ({ hs_code, score }: Candidate, at: number) => {
    if (isLine) return true
    if (status === 'clear') return at === 0
    return at < 2 || score >= SHOWN_FROM_SCORE || answers.some(one => hs_code.startsWith(one))
  }
  return [candidates.filter(isShown), candidates.filter((one, at) => !isShown(one, at))]
}
