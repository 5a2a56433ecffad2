/**
 * The search box, an ARIA combobox. Every letter updates the suggestions, in a row above the results. The row stays when the
 * box loses focus: closing it would move the results under the pointer.
 *
 * Enter opens a code that was typed in full. For other text it shows the results; pressed again, it opens the first result.
 */
import { h, hydrate } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { codeTyped, isWholeCode } from '../../../codes/in-text.js'
import { NO_FILTERS, type Route, toCode, toSearch } from '../data/address.js'
import { ask, isAbort, recall, type Suggestion } from '../data/api.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { announce } from '../shared/announce.js'
import { lang } from '../shared/language.js'
import type { Strings } from '../text/strings.js'
import { SearchField } from '../ui/search-field.js'
import { CLOSED, suggest } from './suggestions.js'

const SHOWN_MAX = 7
const TYPED_MAX = 60
/** Shorter text has no results. */
const RESULTS_FROM_CHARS = 2

export interface Host {
  type: (q: string) => void
  go: (address: string) => void
  route: () => Route | undefined
  toResults: () => void
  /** False if no results of this text are shown. */
  openFirst: (q: string) => boolean
}

/** Methods that the rest of the page may call. */
export interface Box {
  hasFocus: () => boolean
  isEmpty: () => boolean
  /** `text` is inserted without starting a search. */
  focus: (text?: string) => void
  /** Sets the text of the address, without suggestions. */
  set: (q: string) => void
  /** Sets the text as if the visitor had typed it. */
  type: (text: string) => void
}

export function takeSearchBox(place: Element, t: Strings, host: Host): Box {
  let box: Box | undefined
  const give = (made: Box) => {
    box = made
  }
  hydrate(h(SearchBox, { t, host, give }), place)
  if (box === undefined) throw new Error('the search box was not rendered')
  return box
}

/** Loaded with the first letter. Until then suggestions have no marks. */
let marks: typeof import('../text/mark.js') | undefined
const loadMarks = async () => {
  marks ??= await import('../text/mark.js').catch(() => undefined)
}

function SearchBox({ t, host, give }: { t: Strings; host: Host; give: (box: Box) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [{ options, active, of }, tell] = useReducer(suggest, CLOSED)
  const [isEmpty, setEmpty] = useState(true)
  /** The typed text, while the box shows an option. */
  const typed = useRef('')
  /** Whether the text has changed since the results were shown. */
  const isFresh = useRef(false)
  const asking = useRef<() => void>(() => {})
  const marker = useMemo(() => marks && new marks.Marker(of), [of])
  const field = () => input.current as HTMLInputElement
  const isOpen = options.length > 0

  const close = () => {
    asking.current()
    tell('close')
  }
  const write = (text: string) => {
    field().value = text
    setEmpty(text === '')
  }
  const changed = () => {
    const q = field().value
    typed.current = q
    isFresh.current = true
    setEmpty(q === '')
    host.type(q)
    offer(q)
  }

  const offer = (q: string) => {
    asking.current()
    const wanted = q.trim()
    if (wanted === '' || wanted.length > TYPED_MAX || codeTyped(wanted) !== '') return close()
    const path = query('suggest', { q: wanted, limit: SHOWN_MAX })
    const wait = recall(path) === undefined ? pause(false) : 0
    // if the quota is low, the remaining requests are kept for results
    if (wait === null || (wait > 0 && [...wanted].length >= RESULTS_FROM_CHARS)) return close()
    const controller = new AbortController()
    const load = async () => {
      try {
        const [answer] = await Promise.all([ask<Suggestion[]>(path, { signal: controller.signal }), loadMarks()])
        // an aborted request may still answer
        if (controller.signal.aborted || field().value.trim() !== wanted || document.activeElement !== field()) return
        if (answer.kind !== 'ok') return close()
        tell({ kind: 'offer', options: answer.data, of: wanted })
        if (answer.data.length > 0) announce(t.suggestionCount(answer.data.length))
      } catch (error) {
        if (!isAbort(error)) throw error
      }
    }
    const timer = wait > 0 ? window.setTimeout(() => void load(), wait) : 0
    asking.current = () => {
      clearTimeout(timer)
      controller.abort()
    }
    if (wait === 0) void load()
  }

  const enter = () => {
    const q = field().value.trim()
    const isNew = isFresh.current
    typed.current = field().value
    isFresh.current = false
    close()
    if (q === '') return
    const digits = codeTyped(q)
    if (isWholeCode(digits)) return host.go(toCode(digits))
    if (!isNew && host.openFirst(q)) return
    const route = host.route()
    const isSame = route?.page === 'search' && route.q.trim() === q
    host.go(isSame ? toSearch(q, route) : toSearch(q, route?.page === 'search' ? filtersOf(route) : NO_FILTERS))
  }

  const move = (by: number) => {
    const next = suggest({ options, active, of }, { kind: 'move', by })
    isFresh.current = true
    write(next.options[next.active]?.text ?? typed.current)
    tell({ kind: 'move', by })
  }

  const key = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (isOpen) move(event.key === 'ArrowDown' ? 1 : -1)
      else if (event.key === 'ArrowDown') host.toResults()
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      write(typed.current)
      close()
    } else if (event.key === 'Escape' && field().value !== '') {
      event.preventDefault()
      write('')
      changed()
    }
  }

  useLayoutEffect(() => {
    give({
      hasFocus: () => document.activeElement === field(),
      isEmpty: () => field().value === '',
      focus(text = '') {
        if (text !== '') {
          write(text)
          typed.current = text
          isFresh.current = true
          close()
        }
        field().focus()
        field().select()
      },
      set(q) {
        if (document.activeElement !== field() || q.trim() !== field().value.trim()) {
          write(q)
          isFresh.current = false
          close()
        }
        typed.current = field().value
      },
      type(text) {
        write(text)
        changed()
      },
    })
  }, [])
  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])

  return (
    <SearchField
      t={t}
      lang={lang}
      options={options}
      active={active}
      isEmpty={isEmpty}
      marks={text => marker?.pieces(text) ?? [{ text, isMarked: false }]}
      box={input}
      list={list}
      onInput={changed}
      onKey={key}
      onSubmit={event => {
        event.preventDefault()
        enter()
      }}
      onClear={() => {
        write('')
        changed()
        field().focus()
      }}
      onChoose={option => {
        write(option.text)
        isFresh.current = true
        enter()
      }}
    />
  )
}

const filtersOf = ({ within, level, rate }: Extract<Route, { page: 'search' }>) => ({ within, level, rate })
