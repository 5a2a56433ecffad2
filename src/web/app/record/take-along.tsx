/** Buttons to copy the code or a CSV row, and to print the page. */
import { useState } from 'preact/hooks'
import { csvCells, spreadsheetText } from '../../../tables/csv-text.js'
import { CopyButton } from '../shared/copy-button.js'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

const rowOf = ({ hs_code, description, tariff_rate }: WholeRecord) =>
  csvCells([hs_code, description.en, description.ar, String(tariff_rate)].map(spreadsheetText))

/** `gather` loads the rest of a list before printing; null if the page has another print button. */
export function TakeAlong({ record, gather }: { record: WholeRecord; gather: (() => Promise<void>) | null }) {
  const { t } = useSurroundings()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div class="tools" role="group" aria-label={t.tools}>
      <CopyButton name="code" label={t.copyCode} text={record.hs_code} />
      <CopyButton name="row" label={t.copyRow} text={rowOf(record)} />
      {gather !== null && <PrintButton gather={gather} />}
    </div>
  )
}

function PrintButton({ gather }: { gather: () => Promise<void> }) {
  const { t } = useSurroundings()
  const [isPreparing, setPreparing] = useState(false)
  const print = async () => {
    setPreparing(true)
    await gather()
    setPreparing(false)
    // wait until the components have rendered the loaded data
    setTimeout(() => window.print())
  }
  return (
    <button type="button" class="button" disabled={isPreparing} onClick={() => void print()}>
      <Icon name="print" />
      <span>{isPreparing ? t.preparing : t.print}</span>
    </button>
  )
}
