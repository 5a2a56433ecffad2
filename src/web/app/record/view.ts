/** The page of a code in the browser: asks for the record, and gives its components what only a browser can do. */
import { h, hydrate, render } from 'preact'
import type { ListedRecord, ScopeNotes, Section } from '../../../answers/shapes.js'
import { type Calculation, type Route, toCode } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask } from '../data/api.js'
import { isCarried } from '../data/carried.js'
import { countryInAddress } from '../data/country.js'
import { facts } from '../data/facts.js'
import { CHAPTERS_PATH, childrenPath, LIST_PAGE, listPath, recordPath } from '../data/first-paths.js'
import { recent } from '../data/kept-codes.js'
import { replace } from '../dom/dom.js'
import { printNote } from '../dom/print-note.js'
import { Slot, skeleton } from '../dom/slot.js'
import { missingCode, notCode } from '../dom/states.js'
import { takeAlong } from '../dom/take-along.js'
import { KeepButtons } from '../shared/keep-buttons.js'
import { ours } from '../shared/language.js'
import type { Page, View } from '../shared/page.js'
import { surroundings } from '../shared/surroundings.js'
import { tellApart } from '../text/tell-apart.js'
import type { MakeIsland } from '../ui/island.js'
import { Surrounded } from '../ui/surroundings.js'
import { Calculator } from './calculator.js'
import { hasEstimate, type RecordActions, type RecordData, type Sibling, sectionSiblings, type WholeRecord } from './data.js'
import { RecordPage } from './record.js'

const SHAPE = /^\d{2,14}$/

type RecordRoute = Extract<Route, { page: 'record' }>

/** Each is a component of its own: nothing of the last code is kept. */
let drawn = 0

export function recordView(page: Page, first: RecordRoute): View {
  const { main } = page
  const slot = new Slot(main)
  const view: View = { title: '' }
  let running: Running | undefined
  /** Whether what `main` holds was rendered here; everything else has to go first. */
  let isMounted = false
  const clear = () => {
    render(null, main)
    isMounted = false
  }
  const stop = () => {
    slot.stop()
    running?.stop()
  }

  const draw = (data: RecordData, calculation: Calculation) => {
    const { record } = data
    recent.add(record)
    page.setTitle(`${record.hs_code} ${ours(record.description)}`)
    running = new Running()
    const actions = actionsFor(record, calculation, typed => page.note(toCode(record.hs_code, typed)), running)
    const shown = h(Surrounded, { value: surroundings() }, h(RecordPage, { ...data, actions, key: ++drawn }))
    if (!isMounted && isRenderedFrom(main, record)) hydrate(shown, main)
    else {
      if (!isMounted) replace(main)
      render(shown, main)
    }
    isMounted = true
  }

  const show = (route: RecordRoute) => {
    stop()
    const wanted = route.code
    view.title = wanted
    if (!SHAPE.test(wanted)) {
      clear()
      return replace(main, notCode(wanted))
    }
    slot.load<RecordData>({
      ask: signal => askRecord(wanted, signal),
      waiting: () => {
        clear()
        return skeleton(9)
      },
      show: data => draw(data, route.calculation),
      trouble: trouble => {
        clear()
        return trouble.kind === 'missing' ? missingCode(wanted, trouble.nearest, trouble.movedTo) : undefined
      },
    })
  }
  view.update = route => {
    if (route.page !== 'record') return false
    show(route)
    return true
  }
  view.leave = () => {
    stop()
    clear()
  }
  show(first)
  return view
}

/** Whether the server has rendered this record with the addresses that this browser would write: hydrating changes no attribute. */
function isRenderedFrom(main: HTMLElement, record: WholeRecord): boolean {
  const isThere = main.firstElementChild?.matches('article.record') ?? false
  return isThere && isCarried(record) && countryInAddress() === (record.rate.country ?? '')
}

async function askRecord(code: string, signal: AbortSignal): Promise<Answer<RecordData>> {
  await facts()
  const answer = await ask<WholeRecord>(recordPath(code), { signal })
  if (answer.kind !== 'ok') return answer
  const record = answer.data
  if (record.path.length > 0) return { ...answer, data: { record, siblings: record.siblings } }
  const chapters = await ask<Section[]>(CHAPTERS_PATH, { signal })
  if (chapters.kind !== 'ok') return chapters
  return { ...answer, data: { record, siblings: sectionSiblings(chapters.data, code) } }
}

/** What goes on for a page, and ends when it is left. */
class Running {
  readonly #controller = new AbortController()
  readonly #slots: Slot[] = []

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  slotAt(place: HTMLElement): Slot {
    const slot = new Slot(place)
    this.#slots.push(slot)
    return slot
  }

  stop(): void {
    this.#controller.abort()
    for (const slot of this.#slots) slot.stop()
  }
}

function actionsFor(
  record: WholeRecord,
  calculation: Calculation,
  note: (typed: Calculation) => void,
  running: Running,
): RecordActions {
  const put =
    (make: () => HTMLElement): MakeIsland =>
    host => {
      host.append(make())
      return () => {}
    }
  return {
    async more(path, offset, show, place) {
      const next = (signal: AbortSignal) => ask<ListedRecord[]>(listPath(path, LIST_PAGE, offset), { signal })
      if (place !== undefined) return running.slotAt(place).load({ ask: next, show })
      const answer = await next(running.signal)
      if (answer.kind === 'ok') show(answer.data)
    },
    allNotes(chapter, place, show) {
      running
        .slotAt(place)
        .load<ScopeNotes>({ ask: signal => ask(`notes/${chapter}`, { signal }), show: ({ notes }) => show(notes) })
    },
    allSiblings(here, show) {
      void loadSiblings(here, running.signal).then(show, () => {})
    },
    tellApart,
    toLines(event) {
      event.preventDefault()
      const lines = document.querySelector<HTMLElement>('.part-lines')
      lines?.scrollIntoView()
      lines?.querySelector<HTMLElement>('li a')?.focus({ preventScroll: true })
    },
    keepButtons: h(KeepButtons, { one: record }),
    printNote: host => {
      const { element, leave } = printNote()
      host.append(element)
      return leave
    },
    tools: all => put(() => takeAlong(record, hasEstimate(record) ? null : all)),
    calculator: host => {
      const calculator = new Calculator(record, calculation, note)
      host.append(calculator.element)
      calculator.start()
      return () => calculator.leave()
    },
  }
}

/** As many as are there before something goes wrong. */
async function loadSiblings({ path, siblings }: WholeRecord, signal: AbortSignal): Promise<readonly Sibling[]> {
  const parent = path.at(-1)?.hs_code ?? ''
  const all: Sibling[] = [...siblings.items]
  while (all.length < siblings.total) {
    const answer = await ask<ListedRecord[]>(childrenPath(parent, all.length), { signal })
    if (answer.kind !== 'ok' || answer.data.length === 0) break
    all.push(...answer.data)
  }
  return all
}
