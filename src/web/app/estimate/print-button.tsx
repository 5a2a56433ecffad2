import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shared/announce.js'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'

const TOLD_MS = 3200

/** Prints a sheet instead of the page. Shows a message if the sheet could not be made. */
export function PrintButton({ make }: { make: () => Promise<VNode> }) {
  const { t } = useSurroundings()
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!isFailed) return
    announce(t.checkFileFailed)
    const timer = setTimeout(() => setFailed(false), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isFailed])
  const print = async () => {
    const { printSheet } = await import('./sheet.js')
    await printSheet(await make())
  }
  return (
    <button type="button" class="button" data-print-sheet onClick={() => print().catch(() => setFailed(true))}>
      <Icon name="print" />
      <span>{isFailed ? t.checkFileFailed : t.printSheet}</span>
    </button>
  )
}
