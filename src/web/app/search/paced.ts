/**
 * When to search for typed text: at once while plenty of quota is left, after a pause when it is low, only on Enter when it is
 * nearly used up.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pause } from '../data/pace.js'

interface Paced {
  /** The question to ask now. */
  question: string | null
  /** Whether the question waits for Enter or for more quota. */
  isHeld: boolean
  go: () => void
}

interface Typed {
  isTyped: boolean
  /** Whether the answer is cached. */
  isKnown: boolean
  /** Minimum pause in typing, for requests that are too expensive to send at every letter. */
  quietMs?: number
}

export function usePaced(wanted: string, { isTyped, isKnown, quietMs = 0 }: Typed): Paced {
  const settled = useRef<string | null>(null)
  const [, draw] = useState(0)
  const wait = useMemo(() => {
    if (!isTyped || isKnown || settled.current === wanted) return 0
    const least = pause(true)
    return least === null ? null : Math.max(least, quietMs)
  }, [wanted, isTyped])
  if (wait === 0) settled.current = wanted
  const go = () => {
    settled.current = wanted
    draw(before => before + 1)
  }
  useLayoutEffect(() => {
    if (wait === null || wait === 0) return
    const timer = setTimeout(go, wait)
    return () => clearTimeout(timer)
  }, [wanted, isTyped])
  const isHeld = wait === null && settled.current !== wanted
  return { question: isHeld ? null : settled.current, isHeld, go }
}
