/** When typed text is asked for: at once while there are plenty of requests, else when typing pauses, near the end only by Enter. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pause } from '../data/pace.js'

interface Paced {
  /** What to ask now: the last one whose time has come. */
  question: string | null
  /** It waits for Enter or for more requests. */
  isHeld: boolean
  go: () => void
}

interface Typed {
  isTyped: boolean
  /** The answer is at hand. */
  isKnown: boolean
  /** The least pause of typing, where a question is too costly for every letter. */
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
