import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { announce } from './announce.js'
import { copy } from './clipboard.js'

const TOLD_MS = 1600

interface Props {
  name: string
  label: string
  /** The text, or a function that copies it and returns whether that worked. */
  text: string | (() => Promise<boolean>)
}

/** Copies a text and shows whether that worked. */
export function CopyButton({ name, label, text }: Props) {
  const { t } = useSurroundings()
  const [isDone, setDone] = useState<boolean | null>(null)
  useEffect(() => {
    if (isDone === null) return
    announce(isDone ? t.copied : t.copyFailed)
    const timer = setTimeout(() => setDone(null), TOLD_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  const copied = () => (typeof text === 'string' ? copy(text) : text())
  return (
    <button type="button" class="button" data-copy={name} onClick={async () => setDone(await copied().catch(() => false))}>
      <Icon name={isDone === null ? 'copy' : isDone ? 'check' : 'close'} />
      <span>{isDone === null ? label : isDone ? t.copied : t.copyFailed}</span>
    </button>
  )
}
