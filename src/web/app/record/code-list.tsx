/** A paged list of codes: the codes below a code, or its lines. */
import { useRef, useState } from 'preact/hooks'
import type { ListedRecord } from '../../../answers/shapes.js'
import { showBadge, showCode, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings } from '../ui/surroundings.js'
import type { RecordActions } from './data.js'

/** Maximum number of lines in print; no chapter has more. */
const ALL_MAX = 2000

interface Page {
  items: readonly ListedRecord[]
  total: number
}

/** The list sets `all`, which loads the rest of the list before printing. */
export interface ListControl {
  all: () => Promise<void>
}

interface Props {
  page: Page
  /** Number of codes shown at first. */
  first: number
  path: string
  actions: RecordActions | undefined
  control: ListControl | undefined
}

export function CodeList({ page, first, path, actions, control }: Props) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const [items, setItems] = useState(() => page.items.slice(0, first))
  const shown = useRef(items)
  const add = (next: readonly ListedRecord[]) => {
    shown.current = [...shown.current, ...next]
    setItems(shown.current)
  }
  if (control !== undefined && actions !== undefined)
    control.all = async () => {
      while (shown.current.length < Math.min(page.total, ALL_MAX)) {
        const next = await actions.more(path, shown.current.length)
        if (next.length === 0) return
        add(next)
      }
    }
  const isMore = items.length < page.total
  return (
    <div class="paged">
      <ul class="codes">{items.map(item => row(surroundings, item))}</ul>
      <div class="load-more">
        {page.total > first && <p class="hint">{t.shownOf(items.length, page.total)}</p>}
        {isMore && actions !== undefined && <div key={items.length}>{actions.moreButton(path, items.length, add)}</div>}
      </div>
    </div>
  )
}

function row(surroundings: Surroundings, { hs_code, description, tariff_rate, rate, is_active }: ListedRecord) {
  const { t, to } = surroundings
  return (
    <li key={hs_code}>
      <a href={to(`/code/${hs_code}`)}>
        {showCode(hs_code)}
        <span>
          {showWords(surroundings, description)}
          {!is_active && ` (${t.inactive})`}
        </span>
      </a>
      {showBadge(surroundings, tariff_rate, rate)}
    </li>
  )
}
