/** What a visitor takes to other programs: the code, a row, paper. */
import { useState } from 'preact/hooks'
import { csvCells, spreadsheetText } from '../../../tables/csv-text.js'
import { CopyButton } from '../shared/copy-button.js'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import type { WholeRecord } from './data.js'

const rowOf = ({ hs_code, description, tariff_rate }: WholeRecord) =>
  csvCells([hs_code, description.en, description.ar, String(tariff_rate)].map(spreadsheetText))

/** `gather` null: the page has another button that prints. */
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
    // after the components have drawn what came
    setTimeout(() => window.print())
  }
  return (
    <button type="button" class="button" disabled={isPreparing} onClick={() => void print()}>
      <Icon name="print" />
      <span>{isPreparing ? t.preparing : t.print}</span>
    </button>
  )
}
