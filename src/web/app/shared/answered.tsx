/**
 * A part of a page that shows an answer, a waiting state or a problem. It retries by itself if that can help. A new question
 * cancels the previous one, whose late answer is dropped.
 */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer, Trouble } from '../data/answer.js'
import { isAbort } from '../data/api.js'
import { Slow, TroubleNotice } from './notices.js'

/** Shorter waits show nothing, to avoid flicker. */
const WAITING_MS = 140
const SLOW_MS = 3000

type Ok<T> = Extract<Answer<T>, { kind: 'ok' }>

export interface Asked<T> {
  /** The last good answer; while a request runs, the answer to the previous question. */
  answer: Ok<T> | undefined
  trouble: Trouble | undefined
  isWaiting: boolean
  isSlow: boolean
  again: () => void
}

const IDLE = { answer: undefined, trouble: undefined, isWaiting: false, isSlow: false }

/**
 * Sends a request when `question` changes, unless it is null. `known`: the answer to the first question, if the document
 * contains it.
 */
export function useAnswer<T>(
  question: string | null,
  ask: (question: string, signal: AbortSignal) => Promise<Answer<T>>,
  known?: Ok<T>,
): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>({ ...IDLE, answer: known })
  const [round, setRound] = useState(0)
  const isKnown = useRef(known !== undefined)
  // a layout effect, because a normal one would delay typed text by a frame
  useLayoutEffect(() => {
    if (isKnown.current) {
      isKnown.current = false
      return
    }
    if (question === null) return setState(IDLE)
    const controller = new AbortController()
    const later = [
      setTimeout(() => setState(before => ({ ...before, isWaiting: true })), WAITING_MS),
      setTimeout(() => setState(before => ({ ...before, isSlow: true })), SLOW_MS),
    ]
    const stop = () => {
      for (const timer of later) clearTimeout(timer)
    }
    ask(question, controller.signal).then(
      answer => {
        if (controller.signal.aborted) return
        stop()
        setState(answer.kind === 'ok' ? { ...IDLE, answer } : { ...IDLE, trouble: answer })
      },
      error => {
        if (controller.signal.aborted || isAbort(error)) return
        stop()
        setState({ ...IDLE, trouble: { kind: 'broken', id: null } })
        throw error
      },
    )
    return () => {
      stop()
      controller.abort()
    }
  }, [question, round])
  return { ...state, again: () => setRound(before => before + 1) }
}

interface AnsweredProps<T> {
  asked: Asked<T>
  children: (data: T, answer: Ok<T>) => ComponentChildren
  /** Shown while waiting; by default the old content stays, dimmed. */
  waiting?: ComponentChildren
  /** Returns what to show for a problem. If it returns undefined, the usual notice is shown. */
  trouble?: (trouble: Trouble) => ComponentChildren | undefined
  progress?: ComponentChildren
  class?: string
}

export function Answered<T>(props: AnsweredProps<T>) {
  const { asked, children, waiting, trouble, progress } = props
  const { answer, isWaiting, isSlow, again } = asked
  const isReplaced = isWaiting && waiting !== undefined
  const content = () => {
    if (asked.trouble !== undefined)
      return trouble?.(asked.trouble) ?? <TroubleNotice trouble={asked.trouble} again={again} progress={progress} />
    if (isReplaced) return waiting
    return answer && children(answer.data, answer)
  }
  const names = [props.class, isWaiting && !isReplaced && 'stale'].filter(Boolean).join(' ')
  return (
    <div class={names || undefined} aria-busy={isWaiting || undefined}>
      {isSlow && <Slow again={again} />}
      {content()}
    </div>
  )
}
