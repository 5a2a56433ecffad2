/** Runs the page: sends the questions that plan.ts chooses, waits for the quota, and stores the work. */
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import type { Candidate, Classification, Resolved } from '../../../answers/shapes.js'
import type { Answer, Trouble } from '../data/answer.js'
import { ask, isAbort, limits, refreshLimits } from '../data/api.js'
import { country } from '../data/country.js'
import { type Ask, nextAsk } from './plan.js'
import { readAnswer } from './read-answer.js'
import { EMPTY, type Event, reduce } from './reduce.js'
import type { Columns, Field, Quote, Shipment, Terms } from './state.js'

const OFFLINE_AGAIN_MS = 5_000
/** Pause in typing before estimates are requested, because every row counts as a request. */
const TYPING_MS = 500
/** Pause if fewer than SCARCE requests are left. */
const SCARCE_TYPING_MS = 1_500
const SCARCE = 60

export type Run =
  | { kind: 'idle' | 'asking' | 'stopped' }
  | { kind: 'waiting'; why: 'limit' | 'starting' | 'offline'; untilMs: number }
  | { kind: 'trouble'; trouble: Trouble }

export interface Actions {
  paste: (cells: readonly (readonly string[])[], isCut: boolean) => void
  columns: (columns: Columns) => void
  header: (hasHeader: boolean) => void
  edit: (id: number, field: Field, text: string) => void
  add: () => void
  remove: (id: number) => void
  accept: (id: number, candidate: Candidate) => void
  acceptClear: () => void
  undo: (id: number) => void
  undoAll: () => void
  choose: (
    id: number,
    chosen: { code: string; description: Candidate['description']; rate: number | null; by: 'typed' | 'line' },
  ) => void
  answer: (id: number, codes: readonly string[]) => void
  takeBack: (id: number) => void
  terms: (terms: Partial<Terms>) => void
  quote: (quote: Partial<Quote>) => void
  compare: () => void
}

export interface Driver {
  state: Shipment
  run: Run
  actions: Actions
  restore: (shipment: Shipment, isStopped: boolean) => void
  clear: () => void
  stop: () => void
  goOn: () => void
}

const isRoomLeft = () => limits.peek().remaining > 0 && limits.peek().remainingDay > 0
/** How many requests to send: at least one, even if no quota is left, because the refusal says how long to wait. */
const roomNow = () => Math.max(1, Math.min(limits.peek().remaining, limits.peek().remainingDay))

const isSameAsk = (a: Ask, b: Ask) =>
  a.kind === b.kind && a.keys.length === b.keys.length && a.keys.every((key, i) => key === b.keys[i])

const isAmounts = ({ kind }: Ask) => kind === 'estimate' || kind === 'fees'

function eventOf(asked: Ask, answer: Extract<Answer<unknown>, { kind: 'ok' }>): Event {
  const atMs = Date.now()
  switch (asked.kind) {
    case 'resolve':
      return { type: 'resolved', ask: asked, answers: answer.data as Resolved[], atMs }
    case 'classify':
      return { type: 'classified', ask: asked, answers: (answer.data as Classification).items, atMs }
    default:
      return { type: 'estimated', ask: asked, answer: readAnswer(answer.text), atMs }
  }
}

interface Flight {
  asked: Ask
  room: number
  controller: AbortController
  isAnswered: boolean
}

export function useShipment(): Driver {
  const [state, dispatch] = useReducer<Shipment, Event>(reduce, EMPTY)
  const [run, setRun] = useState<Run>({ kind: 'idle' })
  /** When this number changes, the effect looks for the next question. */
  const [round, setRound] = useState(0)
  const flight = useRef<Flight | null>(null)
  const timer = useRef(0)
  const typedAt = useRef(0)
  const hasFreshLimits = useRef(false)
  const again = useCallback(() => setRound(before => before + 1), [])

  const land = () => {
    flight.current?.controller.abort()
    flight.current = null
  }
  const wait = (why: 'limit' | 'starting' | 'offline', ms: number) => {
    hasFreshLimits.current = false
    setRun({ kind: 'waiting', why, untilMs: Date.now() + ms })
  }
  const take = (asked: Ask, answer: Answer<unknown>) => {
    if (answer.kind === 'ok') return dispatch(eventOf(asked, answer))
    // other users of the key may have taken some of the quota in the meantime: use the rest at once
    if (answer.kind === 'limit' && roomNow() < asked.keys.length && isRoomLeft()) {
      flight.current = null
      return again()
    }
    if (answer.kind === 'limit' || answer.kind === 'starting') return wait(answer.kind, answer.seconds * 1000)
    if (answer.kind === 'offline') return wait('offline', OFFLINE_AGAIN_MS)
    if (answer.kind === 'refused') {
      const { code, message, parameter } = answer
      return dispatch({ type: 'refused', refusal: { kind: asked.kind, code, message, parameter } })
    }
    setRun({ kind: 'trouble', trouble: answer })
  }
  const send = async (asked: Ask, room: number) => {
    const controller = new AbortController()
    const own: Flight = { asked, room, controller, isAnswered: false }
    flight.current = own
    setRun({ kind: 'asking' })
    try {
      const isCut = asked.keys.length >= room
      if (!hasFreshLimits.current && (asked.keys.length > 1 || isCut)) {
        await refreshLimits(controller.signal)
        hasFreshLimits.current = true
        // the quota no longer covers the question, or now covers more keys than the question was limited to
        if (roomNow() < asked.keys.length || (isCut && roomNow() > room)) {
          flight.current = null
          return again()
        }
      }
      const answer = await ask<unknown>(asked.path, { body: asked.body, signal: controller.signal })
      if (controller.signal.aborted) return
      // not removed: a pending effect still sees the state before this answer, and would send the question again
      own.isAnswered = true
      take(asked, answer)
    } catch (error) {
      if (isAbort(error)) return
      own.isAnswered = true
      setRun({ kind: 'trouble', trouble: { kind: 'broken', id: null } })
      throw error
    }
  }

  useEffect(() => {
    if (run.kind === 'stopped' || run.kind === 'trouble' || run.kind === 'waiting') {
      flight.current = null
      return
    }
    clearTimeout(timer.current)
    const going = flight.current
    const same = going && nextAsk(state, going.room)
    if (going !== null && same !== null && isSameAsk(going.asked, same)) return
    const room = going === null || going.isAnswered ? roomNow() : going.room
    land()
    const asked = nextAsk(state, room)
    if (asked === null) {
      hasFreshLimits.current = false
      setRun(before => (before.kind === 'asking' ? { kind: 'idle' } : before))
      return
    }
    const pause = limits.peek().remaining < SCARCE ? SCARCE_TYPING_MS : TYPING_MS
    const left = isAmounts(asked) ? typedAt.current + pause - Date.now() : 0
    if (left > 0) timer.current = window.setTimeout(again, left)
    else void send(asked, room)
  }, [state, round, run.kind])

  useEffect(() => {
    if (run.kind !== 'waiting') return
    const goOn = () => setRun({ kind: 'idle' })
    const timer = window.setTimeout(goOn, Math.max(0, run.untilMs - Date.now()))
    if (run.why === 'offline') window.addEventListener('online', goOn)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', goOn)
    }
  }, [run])

  useEffect(
    () => () => {
      clearTimeout(timer.current)
      land()
    },
    [],
  )

  const actions = useMemo<Actions>(
    () => ({
      paste: (cells, isCut) => dispatch({ type: 'pasted', cells, isCut, isAdded: true }),
      columns: columns => dispatch({ type: 'columns', columns }),
      header: hasHeader => dispatch({ type: 'header', hasHeader }),
      edit: (id, field, text) => {
        typedAt.current = Date.now()
        dispatch({ type: 'edited', id, field, text })
      },
      add: () => dispatch({ type: 'added' }),
      remove: id => dispatch({ type: 'removed', id }),
      accept: (id, candidate) => dispatch({ type: 'accepted', id, candidate }),
      acceptClear: () => dispatch({ type: 'acceptedClear' }),
      undo: id => dispatch({ type: 'undone', id }),
      undoAll: () => dispatch({ type: 'undoneAll' }),
      choose: (id, chosen) => dispatch({ type: 'chosen', id, ...chosen }),
      answer: (id, codes) => dispatch({ type: 'answeredQuestion', id, codes }),
      takeBack: id => dispatch({ type: 'unanswered', id }),
      terms: terms => {
        typedAt.current = Date.now()
        dispatch({ type: 'terms', terms })
      },
      quote: quote => dispatch({ type: 'quote', quote }),
      compare: () => dispatch({ type: 'compare', isComparing: true }),
    }),
    [],
  )
  return {
    state,
    run,
    actions,
    restore: (shipment, isStopped) => {
      land()
      dispatch({ type: 'restored', shipment })
      dispatch({ type: 'country', country: country() })
      setRun({ kind: isStopped ? 'stopped' : 'idle' })
    },
    clear: () => {
      land()
      dispatch({ type: 'cleared' })
      setRun({ kind: 'idle' })
    },
    stop: () => {
      land()
      setRun({ kind: 'stopped' })
    },
    goOn: () => {
      setRun({ kind: 'idle' })
      again()
    },
  }
}
