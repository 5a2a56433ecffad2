/** The table of all rows. Only rows near the visible part are rendered; the others are empty blocks of the same height. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useSurroundings } from '../ui/surroundings.js'
import { RowView } from './row-view.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Actions } from './use-shipment.js'
import { GROUPS, type Group, type ShownRow } from './view-rows.js'

/** Rows per block: few, so that rendering a block fits into a frame. */
const BLOCK_ROWS = 8
/** Rows up to this distance outside the window are rendered, so that Tab and the arrow keys can reach the next row. */
const MARGIN = '1000px 0px'
/** Assumed height of a row that has not been rendered yet. */
const ROW_PX = 56
const FIRST_BLOCKS = 4
/** A table of up to this many rows is rendered as a whole, so that the browser can search and print all of it. */
const WHOLE_MAX = 100

interface TableProps {
  rows: readonly ShownRow[]
  only: Group | ''
  opened: ReadonlySet<number>
  toggle: (id: number, isOpen: boolean) => void
  actions: Actions
}

export function Table({ rows, only, opened, toggle, actions }: TableProps) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const table = useRef<HTMLTableElement>(null)
  const wanted = only === '' ? rows : rows.filter(({ group, row }) => group === only || opened.has(row.id))
  const blocks = useMemo(() => blocksOf(wanted), [rows, only, opened])
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || table.current === null) return
    const from = event.target as HTMLElement
    const id = Number(from.closest<HTMLElement>('[data-row], [data-more]')?.dataset[from.closest('[data-row]') ? 'row' : 'more'])
    if (Number.isNaN(id)) return
    const field = from.dataset.field ?? 'toggle'
    if (event.key === 'Escape' && opened.has(id)) {
      event.preventDefault()
      toggle(id, false)
      focusRow(table.current, id, 'toggle')
    } else if (event.key === 'Enter' && from.closest('[data-row]') && from instanceof HTMLInputElement) {
      event.preventDefault()
      toggle(id, !opened.has(id))
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && from.closest('[data-row]')) {
      const next = besideRow(table.current, id, event.key === 'ArrowDown' ? 1 : -1)
      if (next === null) return
      event.preventDefault()
      focusRow(table.current, next, field)
    }
  }
  const head = [s.no, s.words, s.code, s.status, s.rate, s.value, s.charges, s.landed]
  return (
    <table class="ship-table" aria-label={s.tableLabel} aria-rowcount={rows.length + 1} ref={table} onKeyDown={press}>
      <thead>
        <tr class="ship-row ship-head" aria-rowindex={1}>
          {head.map((text, at) => (
            <th key={text} class={at > 5 ? 'ship-figure' : undefined} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      {blocks.map((block, at) => (
        <Block
          key={at}
          rows={block}
          isFirst={at < FIRST_BLOCKS}
          isWhole={wanted.length <= WHOLE_MAX}
          opened={opened}
          toggle={toggle}
          actions={actions}
        />
      ))}
    </table>
  )
}

function blocksOf(rows: readonly ShownRow[]): ShownRow[][] {
  const blocks: ShownRow[][] = []
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) blocks.push(rows.slice(from, from + BLOCK_ROWS))
  return blocks
}

/** The previous or next rendered row. */
function besideRow(table: HTMLElement, id: number, step: number): number | null {
  const all = [...table.querySelectorAll<HTMLElement>('[data-row]')]
  const at = all.findIndex(one => Number(one.dataset.row) === id)
  const beside = all[at + step]
  return beside === undefined ? null : Number(beside.dataset.row)
}

export function focusRow(table: HTMLElement | Document, id: number, field: string): void {
  const row = table.querySelector<HTMLElement>(`[data-row="${id}"]`)
  const wanted = row?.querySelector<HTMLElement>(`[data-field="${field}"]`)
  const element = wanted ?? row?.querySelector<HTMLElement>('[data-field=toggle]')
  element?.focus()
  if (element instanceof HTMLInputElement) element.select()
}

interface BlockProps extends Omit<TableProps, 'only'> {
  /** Whether the block is rendered with the page, before anything is measured. */
  isFirst: boolean
  isWhole: boolean
}

function Block({ rows, isFirst, isWhole, opened, toggle, actions }: BlockProps) {
  const place = useRef<HTMLTableSectionElement>(null)
  const [isInView, setInView] = useState(isFirst)
  const isNear = isWhole || isInView
  const height = useRef(0)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new IntersectionObserver(
      entries => {
        const isNow = entries.at(-1)?.isIntersecting ?? true
        if (!isNow) height.current = element.getBoundingClientRect().height
        // a row that has the focus is not removed
        setInView(isNow || element.contains(document.activeElement))
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // set as a property, because the content security policy forbids style attributes
  useLayoutEffect(() => {
    const px = isNear ? '' : `${height.current || rows.length * ROW_PX}px`
    if (place.current) place.current.style.minBlockSize = px
  }, [isNear, rows.length])
  return (
    <tbody ref={place}>
      {isNear &&
        rows.map(shown => (
          <RowView key={shown.row.id} shown={shown} isOpen={opened.has(shown.row.id)} toggle={toggle} actions={actions} />
        ))}
    </tbody>
  )
}

interface FilterProps {
  rows: readonly ShownRow[]
  only: Group | ''
  choose: (only: Group | '') => void
}

export function Filters({ rows, only, choose }: FilterProps) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const counts = new Map<Group, number>()
  for (const { group } of rows) counts.set(group, (counts.get(group) ?? 0) + 1)
  const choice = (value: Group | '', text: string, count: number) => (
    <label key={value}>
      <input type="radio" name="ship-group" value={value} checked={value === only} onChange={() => choose(value)} />
      <span>
        {text} <b>{count}</b>
      </span>
    </label>
  )
  return (
    <fieldset>
      <legend class="unseen">{s.filter}</legend>
      <div class="segments counts">
        {choice('', s.all, rows.length)}
        {GROUPS.filter(one => counts.has(one) || one === only).map(one =>
          choice(one, s.groups[one] ?? one, counts.get(one) ?? 0),
        )}
      </div>
    </fieldset>
  )
}
