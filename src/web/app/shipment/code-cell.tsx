// biome-ignore-all lint/a11y: a combobox by the ARIA pattern, whose list never has the focus; the field handles the keys
/** The code of a row: typed as digits, or found by words. */
import { useEffect, useState } from 'preact/hooks'
import { ask, type Code } from '../data/api.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { announce } from '../shared/announce.js'
import { showBadge, showCode, showWords } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { shipmentStrings } from './shipment-strings.js'

const FOUND_MAX = 8
const CHARS_MIN = 2
/** Pause in typing before a request is sent. */
const QUIET_MS = 250
const DIGITS_ONLY = /^[\p{Nd}\s.\-/]*$/u

interface Props {
  /** Prefix of the ids of this cell's elements. */
  name: string
  label: string
  code: string
  isInvalid: boolean
  complaintId: string | undefined
  /** Called with typed digits. */
  edit: (text: string) => void
  choose: (one: Code) => void
}

export function CodeCell({ name, label, code, isInvalid, complaintId, edit, choose }: Props) {
  const surroundings = useSurroundings()
  const s = shipmentStrings[surroundings.lang]
  /** Null unless the visitor is typing. */
  const [typed, setTyped] = useState<string | null>(null)
  const [found, setFound] = useState<{ q: string; codes: readonly Code[] } | null>(null)
  const [at, setAt] = useState(-1)
  const q = typed?.replace(/\s+/g, ' ').trim() ?? ''
  const close = () => {
    setTyped(null)
    setFound(null)
    setAt(-1)
  }
  const search = async (signal: AbortSignal) => {
    const answer = await ask<Code[]>(query('search', { q, limit: FOUND_MAX }), { signal }).catch(() => null)
    if (signal.aborted || answer?.kind !== 'ok') return
    setFound({ q, codes: answer.data })
    setAt(-1)
    announce(s.found(answer.data.length))
  }
  useEffect(() => {
    if (q.length < CHARS_MIN) return setFound(null)
    const wait = pause(true)
    if (wait === null) return
    const controller = new AbortController()
    const timer = setTimeout(() => void search(controller.signal), Math.max(QUIET_MS, wait))
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [q])
  const take = (one: Code) => {
    close()
    choose(one)
  }
  /** Drops typed words for which no code was chosen, so that the cell always shows the row's code. */
  const leave = () => {
    const text = typed?.trim() ?? null
    close()
    if (text !== null && text !== code && DIGITS_ONLY.test(text)) edit(text)
  }
  const codes = found?.codes ?? []
  const isOpen = typed !== null && found !== null
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || typed === null) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      event.stopPropagation()
      const chosen = codes[at] ?? (DIGITS_ONLY.test(q) || found?.q !== q ? undefined : codes[0])
      if (chosen) take(chosen)
      else if (DIGITS_ONLY.test(q)) leave()
      else void search(AbortSignal.timeout(10_000))
    } else if (isOpen && codes.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      event.stopPropagation()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt(before => (before + step + codes.length + (before < 0 && step < 0 ? 1 : 0)) % codes.length)
    }
  }
  const list = `${name}-found`
  return (
    <>
      <input
        type="text"
        dir="auto"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && at >= 0 ? `${list}-${at}` : undefined}
        aria-invalid={isInvalid || undefined}
        aria-describedby={complaintId}
        data-field="code"
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        placeholder={s.codeHint}
        value={typed ?? code}
        onInput={event => setTyped(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={leave}
      />
      {isOpen && (
        <ul class="ship-found" id={list} role="listbox" aria-label={s.code}>
          {codes.length === 0 && (
            <li role="option" aria-selected="false" aria-disabled="true">
              {s.nothingFound}
            </li>
          )}
          {codes.map((one, i) => (
            // the focus stays in the field, to which this list belongs
            <li
              key={one.hs_code}
              id={`${list}-${i}`}
              role="option"
              aria-selected={i === at}
              onMouseDown={event => {
                event.preventDefault()
                take(one)
              }}
            >
              {showCode(one.hs_code)}
              {showWords(surroundings, one.description)}
              {showBadge(surroundings, one.tariff_rate)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
