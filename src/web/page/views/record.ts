/** One code, with everything that is known of it. */
import { type Calculation, type Route, toBrowse, toCode } from '../address.js'
import type { Code, Step } from '../api.js'
import { type Child, fillText, h, icon, replace } from '../dom.js'
import { facts } from '../facts.js'
import { recent } from '../kept-codes.js'
import { lang, ours, t } from '../language.js'
import type { Page, View } from '../page.js'
import { badge, code, levelName, levelOf, longestLine, ourWords } from '../parts.js'
import { askRecord } from '../record-request.js'
import { Slot, skeleton } from '../slot.js'
import { missingCode, notCode } from '../states.js'
import { Calculator } from './calculator.js'
import { controls, facts as declaredFacts } from './controls.js'
import { declaredBelow, declaredHere } from './declared.js'
import { duty, editions } from './duty.js'
import { examples } from './examples.js'
import { compareButton, starButton } from './keep-buttons.js'
import { notes } from './notes.js'
import { PagedCodes } from './paged-codes.js'
import { printNote } from './print-note.js'
import { seeAlso } from './see-also.js'
import { siblings } from './siblings.js'
import { takeAlong } from './take-along.js'

const SHAPE = /^\d{2,14}$/
/** Lines are what a subheading is opened for; above it a few show what is there. */
const FEW = 10
const MANY = 50

type RecordRoute = Extract<Route, { page: 'record' }>

export function recordView(page: Page, first: RecordRoute): View {
  const slot = new Slot(page.main)
  const view: View = { title: '' }
  const inner: { leave: () => void }[] = []
  const leave = () => {
    slot.stop()
    for (const part of inner.splice(0)) part.leave()
  }

  const show = (route: RecordRoute) => {
    leave()
    const wanted = route.code
    view.title = wanted
    if (!SHAPE.test(wanted)) return replace(page.main, notCode(wanted))
    slot.load<Code>({
      ask: async signal => {
        await facts()
        return askRecord(wanted, signal)
      },
      waiting: () => skeleton(9),
      show: one => {
        recent.add(one)
        page.setTitle(`${one.hs_code} ${ours(one.description)}`)
        const drawn = draw(one, route.calculation, typed => page.note(toCode(wanted, typed)))
        inner.push(...drawn.parts)
        replace(page.main, drawn.element)
      },
      trouble: trouble => (trouble.kind === 'missing' ? missingCode(wanted, trouble.nearest, trouble.movedTo) : undefined),
    })
  }
  view.update = route => {
    if (route.page !== 'record') return false
    show(route)
    return true
  }
  view.leave = leave
  show(first)
  return view
}

function draw(
  one: Code,
  asked: Calculation,
  keep: (typed: Calculation) => void,
): { element: HTMLElement; parts: { leave: () => void }[] } {
  const { hs_code, path = [] } = one
  const level = levelOf(one)
  const isLine = level >= longestLine()
  const calculator = new Calculator(one, asked, keep)
  const beside = siblings(one)
  const below = new PagedCodes(`hs-codes/${hs_code}/children`, MANY)
  const declared = declaredBelow(() => element.querySelector<HTMLElement>('.part-lines'))
  const lines = new PagedCodes(`hs-codes/${hs_code}/lines`, level < 6 ? FEW : MANY, declared.show)
  const note = printNote()
  const legal = notes(one)
  const elsewhere = seeAlso(one)
  const controlled = controls(one)

  const element = h(
    'article',
    { class: 'record', 'data-level': level },
    crumbs(path, hs_code),
    h(
      'header',
      { class: 'record-head' },
      h(
        'div',
        { class: 'record-code' },
        h('h1', {}, h('span', { class: 'unseen' }, fillText(t.record, { code: '' })), code(hs_code)),
        badge(one.tariff_rate, one.rate),
        h('span', { class: 'level' }, levelName(level)),
        one.is_active === false && h('span', { class: 'badge badge-high' }, t.inactive),
        h('div', { class: 'keep' }, starButton(one), compareButton(one)),
      ),
      isLine ? declaredHere() : declared.element,
      words(one),
      note.element,
      declaredFacts(one),
      examples(one),
      takeAlong(one, () => (level < 6 ? below : lines).all()),
    ),
    controlled !== null && part('controls', t.controlsTitle, null, controlled),
    h('div', { class: 'pair' }, duty(one), calculator.element),
    elsewhere !== null && part('see-also', t.seeAlsoTitle, t.seeAlsoText, elsewhere),
    legal !== null && part('notes', t.notesTitle, t.notesText, legal.element),
    level < 6 && part('below', t.childrenTitle, null, below.element),
    !isLine && part('lines', t.linesTitle(longestLine()), t.linesText, lines.element),
    part('siblings', t.siblingsTitle, t.siblingsText, beside.element),
    part('editions', t.editionsTitle, null, editions(one)),
  )
  beside.load()
  if (level < 6) below.load()
  if (!isLine) lines.load()
  calculator.start()
  return { element, parts: [below, lines, beside, calculator, note, ...(legal === null ? [] : [legal])] }
}

function part(name: string, title: string, text: string | null, body: Child): HTMLElement {
  return h(
    'section',
    { class: `part part-${name}`, 'aria-labelledby': `part-${name}` },
    h('h2', { id: `part-${name}` }, title),
    text !== null && h('p', { class: 'hint' }, text),
    body,
  )
}

function crumbs(path: readonly Step[], last: string): HTMLElement {
  return h(
    'nav',
    { class: 'crumbs', 'aria-label': t.path },
    h(
      'ol',
      {},
      path.map(({ hs_code, description }) =>
        h('li', {}, h('a', { href: toCode(hs_code) }, code(hs_code), ' ', ourWords(description))),
      ),
      h('li', { 'aria-current': 'page' }, code(last)),
    ),
    h('a', { class: 'in-tree', href: toBrowse(last) }, icon('tree'), t.seeInTree),
  )
}

/** Both languages side by side, the visitor's first. */
function words({ description }: Code): HTMLElement {
  const column = (which: 'en' | 'ar', name: string) => {
    const text = description[which] || h('span', { class: 'hint' }, t.noWords)
    // the label stands above its text, on whichever side that begins
    const sides = { dir: which === 'ar' ? 'rtl' : 'ltr' }
    return h('div', {}, h('div', sides, h('span', { class: 'tongue' }, name), h('p', { lang: which }, text)))
  }
  const english = column('en', t.inEnglish)
  const arabic = column('ar', t.inArabic)
  return h('div', { class: 'words' }, lang === 'ar' ? [arabic, english] : [english, arabic])
}
