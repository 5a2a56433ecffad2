/** The input for new rows: pasted or typed text, a dropped or chosen file, an example. */
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { ROWS_MAX, readTable } from './read-table.js'
import { shipmentStrings } from './shipment-strings.js'

const EXAMPLE =
  'item,hs code,value,quantity,origin\nSmartphones,8517.13,"12,000",40,CN\nGreen tea in bags,9021000,340,,LK\nMen’s cotton T-shirts,,"2,300",500,BD\nOlive oil,1509 20,910,,ES\nOld phones,851712,75,,CN\nWatches,9102.11,"2,500",10,CH'

export type Cells = readonly (readonly string[])[]

interface Props {
  take: (cells: Cells, isCut: boolean) => void
  /** Whether the box gets the focus, because the page has just been cleared. */
  isFocused: boolean
  hasRows: boolean
}

const isEmpty = (cells: Cells) => cells.every(row => row.every(cell => cell.trim() === ''))

export function PasteBox({ take, isFocused, hasRows }: Props) {
  const { lang, t } = useSurroundings()
  const s = shipmentStrings[lang]
  const box = useRef<HTMLTextAreaElement>(null)
  const [complaint, setComplaint] = useState('')
  const [isOver, setOver] = useState(false)
  const wasFocused = useRef(false)
  const takeCells = (cells: Cells, isCut: boolean) => {
    if (isEmpty(cells)) return setComplaint(s.nothingRead)
    take(cells, isCut)
    setComplaint(isCut ? s.cut(ROWS_MAX) : '')
    if (box.current) box.current.value = ''
  }
  const takeText = (text: string) => {
    const { cells, isCut } = readTable(text)
    takeCells(cells, isCut)
  }
  const takeFile = async (file: File | undefined) => {
    if (!file) return
    try {
      const { readFile } = await import('./read-file.js')
      const cells = await readFile(file)
      if (cells === null) setComplaint(s.notTable)
      else takeCells(cells.slice(0, ROWS_MAX + 1), cells.length > ROWS_MAX + 1)
    } catch {
      setComplaint(t.checkFileFailed)
    }
  }
  const focus = (element: HTMLTextAreaElement | null) => {
    box.current = element
    if (isFocused && !wasFocused.current) element?.focus({ preventScroll: true })
    wasFocused.current = isFocused
  }
  return (
    <form
      class={isOver ? 'ship-card ship-paste over' : 'ship-card ship-paste'}
      onSubmit={event => {
        event.preventDefault()
        takeText(box.current?.value ?? '')
      }}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false)
        if (!event.dataTransfer?.files.length) return
        event.preventDefault()
        void takeFile(event.dataTransfer.files[0])
      }}
    >
      <label for="ship-box">{s.box}</label>
      <textarea
        ref={focus}
        id="ship-box"
        rows={hasRows ? 2 : 6}
        spellcheck={false}
        dir="auto"
        placeholder={s.boxHint}
        onPaste={event => {
          const text = event.clipboardData?.getData('text/plain') ?? ''
          // a word pasted into a typed line becomes part of the line
          if (box.current?.value !== '' || text.trim() === '') return
          event.preventDefault()
          takeText(text)
        }}
        onKeyDown={event => {
          // Enter adds the typed row; Shift+Enter starts a new line
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.currentTarget.value.includes('\n')) return
          event.preventDefault()
          takeText(event.currentTarget.value)
        }}
      />
      <p class="complaint" role="alert">
        {complaint}
      </p>
      <div class="row">
        <button type="submit" class={hasRows ? 'button' : 'button button-strong'}>
          {s.take}
        </button>
        <input
          type="file"
          id="ship-file"
          class="unseen"
          accept=".xlsx,.csv,.tsv,.txt,text/csv,text/plain"
          onChange={event => {
            void takeFile(event.currentTarget.files?.[0])
            // so that the same file can be chosen again
            event.currentTarget.value = ''
          }}
        />
        <label for="ship-file" class="button">
          <Icon name="down" />
          {s.file}
        </label>
        {!hasRows && (
          <button type="button" class="button" onClick={() => takeText(EXAMPLE)}>
            {s.example}
          </button>
        )}
      </div>
      {!hasRows && <p class="hint">{s.fileHint}</p>}
    </form>
  )
}
