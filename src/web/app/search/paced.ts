/** When to search for typed text: at once while the quota is ample, after a pause when it is low, only on Enter near its end. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pause } from '../data/pace.js'

interface Paced {
  /** The question to ask now. */
  question: string | null
  /** Waits for Enter or for more quota. */
  isHeld: boolean
  go: () => void
}

interface Typed {
  isTyped: boolean
  /** The answer is cached. */
  isKnown: boolean
  /** Minimum pause in typing, for questions that cost too much to ask at every letter. */
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
