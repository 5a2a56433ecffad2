/** One page for all work with many goods: from pasted text to codes, lines, duties and a quote. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type ShipmentRoute, toShipment } from '../data/address.js'
import { COMMON, country, currencyOf as currencyOfCountry, withCountry } from '../data/country.js'
import { announce } from '../shared/announce.js'
import { componentView, type PageProps } from '../shared/component-view.js'
import { lang } from '../shared/language.js'
import { type Page, usePage, type View } from '../shared/page.js'
import { useSurroundings } from '../ui/surroundings.js'
import { AcceptClear } from './accept-clear.js'
import { asked, totalsOf } from './estimate-request.js'
import { formerWorks, type Offer, restored, settleFormer, type Work, works } from './kept.js'
import { pack, unpack } from './link.js'
import { OtherWorks } from './other-works.js'
import { PasteBox } from './paste-box.js'
import { waiting } from './plan.js'
import { EMPTY } from './reduce.js'
import { clearRows, givenCode, problemOfTerm, titleOf } from './row.js'
import { type Progress, RunLine } from './run-line.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Shipment } from './state.js'
import { Filters, focusRow, Table } from './table.js'
import { ColumnFields, TermsFields } from './terms.js'
import { Tools, Totals } from './totals.js'
import { type Driver, useShipment } from './use-shipment.js'
import { GROUPS, type Group, shownRows } from './view-rows.js'

const flush = () => works.flush()

export function shipmentView(page: Page, first: ShipmentRoute): View {
  window.addEventListener('pagehide', flush)
  const view = componentView(page, ShipmentPage, first)
  return {
    ...view,
    title: shipmentStrings[lang].title,
    leave: () => {
      view.leave?.()
      flush()
      window.removeEventListener('pagehide', flush)
    },
  }
}

/**
 * Identifies the rows in an address; '' if there are none. Currency and VAT are left out, because a change of destination
 * changes them but not the rows.
 */
function addressOf({ rows = '', codes = '', ...others }: ShipmentRoute['parameters']): string {
  const terms = ['freight', 'insurance', 'origin', 'edition'].map(name => others[name] ?? '')
  return rows === '' && codes === '' ? '' : [rows, codes, ...terms].join(' ')
}

const isGroup = (text: string | undefined): text is Group => GROUPS.includes(text as Group)

function ShipmentPage({ route }: PageProps<ShipmentRoute>) {
  const { lang, t } = useSurroundings()
  const s = shipmentStrings[lang]
  const page = usePage()
  const driver = useShipment()
  const { state, run, actions } = driver
  const [only, setOnly] = useState<Group | ''>('')
  const [isCleared, setCleared] = useState(false)
  const kept = useKeptWork(route, driver, only, setOnly)
  const hasRows = state.rows.length > 0
  const rows = useMemo(() => shownRows(state, lang, t), [state, lang])
  const sum = totalsOf(state)
  const clear = useMemo(() => clearRows(state), [state.rows])
  const chosen = state.rows.filter(({ choice }) => choice !== null).length
  const comparable = useMemo(() => comparableRows(state), [state])
  const lacking = rows.filter(({ lacksExcise, result }) => lacksExcise && result !== null).map(({ number }) => number)
  const vatRate = rows.find(({ result }) => result !== null)?.result?.calculation.vat_rate ?? ''
  const numbers = useMemo(() => new Map(rows.map(({ row, number }) => [row.id, number])), [rows])
  useAnnouncedRows(state.rows.length, s.taken)
  const parameters = useMemo(() => pack(state), [state.rows, state.terms])
  const link = parameters === null ? '' : location.origin + withCountry(toShipment(parameters), state.terms.country || COMMON)
  const problems = {
    vat: problemOfTerm('vat', state) !== null || state.refusal?.parameter === 'vat_rate' ? t.calcBadVat : undefined,
    freight: problemOfTerm('freight', state) === null ? undefined : t.calcBad,
    insurance: problemOfTerm('insurance', state) === null ? undefined : t.calcBad,
  }
  const clearAll = () => {
    driver.clear()
    kept.forget()
    setOnly('')
    setCleared(true)
    page.note(toShipment())
  }
  return (
    <div class="ship-page">
      <header class="page-head">
        <h1>{s.title}</h1>
        <p>{s.text}</p>
      </header>
      <OtherWorks {...kept} isLink={state.isLink} />
      <PasteBox
        hasRows={hasRows}
        isFocused={isCleared && !hasRows}
        take={(cells, isCut) => {
          setCleared(false)
          actions.paste(cells, isCut)
        }}
      />
      {state.source !== null && hasRows && (
        <ColumnFields source={state.source} change={actions.columns} setHeader={actions.header} />
      )}
      {hasRows && (
        <>
          <TermsFields terms={state.terms} vatRate={vatRate} problems={problems} change={actions.terms} />
          {state.refusal !== null && state.refusal.parameter !== 'vat_rate' && (
            <p class="complaint" role="alert">
              {state.refusal.message}
            </p>
          )}
          <RunLine run={run} progress={progressOf(state)} stop={driver.stop} goOn={driver.goOn} />
          <AcceptClear
            clear={clear}
            chosen={chosen}
            comparable={comparable}
            numberOf={id => numbers.get(id) ?? 0}
            actions={actions}
          />
          <Goods rows={rows} only={only} choose={setOnly} driver={driver} />
          <section class="ship-card ship-totals" aria-labelledby={sum === null ? undefined : 'ship-total'} aria-label={s.tools}>
            {sum === null ? <p class="hint">{s.needsValues}</p> : <Totals state={state} sum={sum} lacking={lacking} />}
            <Tools state={state} link={link} actions={actions} />
          </section>
          {!state.isLink && (
            <div class="row ship-over">
              <button type="button" class="button" onClick={clearAll}>
                {s.startOver}
              </button>
              <p class="hint">{s.kept}</p>
            </div>
          )}
        </>
      )}
    </div>
  )
}

interface GoodsProps {
  rows: ReturnType<typeof shownRows>
  only: Group | ''
  choose: (only: Group | '') => void
  driver: Driver
}

function Goods({ rows, only, choose, driver }: GoodsProps) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const { state, actions } = driver
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const wanted = useRef<{ id: number; field: string } | null>(null)
  const toggle = useMemo(
    () => (id: number, isOpen: boolean) =>
      setOpened(before => {
        const next = new Set(before)
        if (isOpen) next.add(id)
        else next.delete(id)
        return next
      }),
    [],
  )
  // the focus goes to the row that takes the place of a removed row, or to a new row
  useLayoutEffect(() => {
    const next = wanted.current
    wanted.current = null
    if (next !== null) focusRow(document, next.id, next.field)
  }, [state.rows.length])
  const remove = (id: number) => {
    const at = state.rows.findIndex(row => row.id === id)
    const next = state.rows[at + 1] ?? state.rows[at - 1]
    wanted.current = next === undefined ? null : { id: next.id, field: 'toggle' }
    toggle(id, false)
    actions.remove(id)
  }
  const all = useRef({ ...actions, remove })
  all.current.remove = remove
  return (
    <>
      <h2 class="unseen">{s.tableLabel}</h2>
      <div class="ship-bar">
        <Filters rows={rows} only={only} choose={choose} />
      </div>
      <p class="unseen" id="ship-keys">
        {s.keys}
      </p>
      <Table rows={rows} only={only} opened={opened} toggle={toggle} actions={all.current} />
      {only !== '' && !rows.some(({ group }) => group === only) && <p class="hint">{s.emptyFilter}</p>}
      <div class="row ship-add">
        <button
          type="button"
          class="button"
          onClick={() => {
            choose('')
            wanted.current = { id: state.nextId, field: 'code' }
            actions.add()
          }}
        >
          {s.add}
        </button>
      </div>
    </>
  )
}

/** Number of rows whose own words and code can still be compared with each other. */
function comparableRows(state: Shipment): number {
  if (state.isComparing) return 0
  return state.rows.filter(row => row.choice === null && row.classified === null && givenCode(row) !== '' && titleOf(row) !== '')
    .length
}

/** Progress of the first kind of question that still waits. */
function progressOf(state: Shipment): Progress | null {
  const left = waiting(state)
  const all = {
    resolve: state.rows.filter(row => givenCode(row) !== '' || row.choice !== null).length,
    classify: left.classify + state.rows.filter(({ classified }) => classified !== null).length,
    estimate: asked(state)?.items.size ?? 0,
  }
  const kind = (['resolve', 'classify', 'estimate'] as const).find(one => left[one] > 0)
  return kind === undefined ? null : { kind, done: all[kind] - left[kind], all: all[kind] }
}

function useAnnouncedRows(count: number, messageOf: (n: number) => string): void {
  const before = useRef(count)
  useEffect(() => {
    if (count > before.current) announce(messageOf(count - before.current))
    before.current = count
  }, [count])
}

/** Restores the visitor's own work, or shows the rows of a link without replacing that work; stores every change. */
function useKeptWork(route: ShipmentRoute, driver: Driver, only: Group | '', setOnly: (only: Group | '') => void) {
  const page = usePage()
  const { state, run } = driver
  const [others, setOthers] = useState<readonly Work[]>([])
  const [former, setFormer] = useState<readonly Offer[]>([])
  /** Increases with every address, and when rows of a link are changed: work that arrives from storage later is not shown. */
  const turn = useRef(0)
  const isReady = useRef(false)
  const latest = useRef(state)
  latest.current = state
  const listOthers = async () => setOthers((await works.others()).filter(({ shipment }) => shipment?.rows.length > 0))
  const show = (work: Work) => {
    driver.restore(restored(work.shipment, Date.now()), work.isStopped ?? false)
    setOnly(isGroup(work.only) ? work.only : '')
  }
  const address = addressOf(route.parameters)

  useLayoutEffect(() => {
    const thisTurn = ++turn.current
    isReady.current = false
    const work = works.current(address)
    if (work !== undefined) {
      show(work)
      isReady.current = true
      void listOthers()
      return
    }
    const linked = unpack(route.parameters)
    if (linked !== null) {
      // amounts of a link keep their currency when the destination changes
      const currency = linked.terms.currency || currencyOfCountry(country())
      if (linked.terms.currency === '') page.note(toShipment({ ...route.parameters, currency }))
      driver.restore({ ...linked, terms: { ...linked.terms, country: country(), currency } }, false)
    } else driver.restore({ ...EMPTY, terms: { ...EMPTY.terms, country: country() } }, false)
    void works.find(address).then(async found => {
      await listOthers()
      if (thisTurn !== turn.current) return
      isReady.current = true
      // text typed in the meantime takes precedence
      if (found === undefined || (linked === null && latest.current.rows.length > 0)) return
      show(found)
      const { y = 0 } = (history.state ?? {}) as { y?: number }
      if (window.scrollY === 0) requestAnimationFrame(() => window.scrollTo(0, y))
    })
    // the shell passes a new object for every address, even for one that was shown before
  }, [route])

  useEffect(() => {
    void formerWorks().then(setFormer)
  }, [])

  const isStopped = run.kind === 'stopped'
  useEffect(() => {
    if (!isReady.current || state.isLink || (state.rows.length === 0 && state.source === null)) return
    if (address !== '') {
      // the rows were changed, so they no longer match the address
      turn.current++
      page.note(toShipment())
    }
    works.save({ address: '', shipment: state, isStopped, only })
  }, [state, isStopped, only])

  const take = (work: Work) => {
    works.take(work)
    history.pushState({ work: work.id }, '', toShipment())
    page.note(toShipment())
    show(work)
    isReady.current = true
    void listOthers()
  }
  const settle = () => {
    settleFormer()
    setFormer([])
  }
  return {
    others,
    former,
    open: take,
    remove: (work: Work) => {
      works.remove(work.id)
      setOthers(before => before.filter(({ id }) => id !== work.id))
    },
    openFormer: (offer: Offer) => {
      settle()
      driver.restore({ ...offer.shipment, isLink: false }, false)
      isReady.current = true
    },
    settleFormer: settle,
    forget: () => {
      works.forgetShown()
      void listOthers()
    },
  }
}
