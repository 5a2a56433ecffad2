/** Buttons to share an estimate: copy its link, print it as a sheet. */
import { type ComponentChildren, render, type VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shared/announce.js'
import { CopyButton } from '../shared/copy-button.js'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'

const TOLD_MS = 3200

/** Prints only the sheet, and restores the page afterwards. */
async function printSheet(make: () => Promise<VNode>): Promise<void> {
  const host = document.createElement('div')
  render(await make(), host)
  const sheet = host.firstElementChild as HTMLElement
  // an English page may not have loaded the Arabic font yet
  await document.fonts.load('1em Cairo', 'ر')
  document.querySelector('body > .sheet')?.remove()
  document.body.append(sheet)
  const root = document.documentElement
  root.dataset.print = 'sheet'
  const end = () => {
    sheet.remove()
    delete root.dataset.print
  }
  window.addEventListener('afterprint', end, { once: true })
  window.print()
}

interface Props {
  link: string
  make: () => Promise<VNode>
  children?: ComponentChildren
}

export function QuoteTools({ link, make, children }: Props) {
  const { t } = useSurroundings()
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!isFailed) return
    announce(t.checkFileFailed)
    const timer = setTimeout(() => setFailed(false), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isFailed])
  return (
    <div class="quote-tools">
      {link !== '' && <CopyButton name="link" label={t.copyLink} text={link} />}
      <button type="button" class="button" data-print-sheet onClick={() => printSheet(make).catch(() => setFailed(true))}>
        <Icon name="print" />
        <span>{isFailed ? t.checkFileFailed : t.printSheet}</span>
      </button>
      {children}
    </div>
  )
}
