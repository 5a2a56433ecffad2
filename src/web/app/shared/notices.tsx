/** Notices shown instead of an answer: one sentence, and a way to continue. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Trouble } from '../data/answer.js'
import { loadSuccessors } from '../data/moved.js'
import { MissingCode } from '../ui/missing.js'
import { fill } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { KeyForm } from './key-form.js'

/** These notices fill a page and have an h1. Others have an h2 if the page already has a heading. */
const WHOLE_PAGE = ['empty', 'missing', 'lost']

interface NoticeProps {
  kind: string
  title: ComponentChildren
  text: ComponentChildren
  /** Links and buttons to continue. */
  children?: ComponentChildren
  seconds?: number
}

export function Notice({ kind, title, text, children, seconds }: NoticeProps) {
  // the page may already have a heading when the notice is first rendered
  const [isWhole] = useState(() => WHOLE_PAGE.includes(kind) || !hasHeading())
  return (
    <section class={`notice notice-${kind}`} data-state={kind} data-seconds={seconds} role="status">
      {isWhole ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      <div class="ways">{children}</div>
    </section>
  )
}

const hasHeading = () => document.documentElement.dataset.page === 'start' || document.querySelector('main h1') !== null

export function Button(props: { onClick: () => void; isStrong?: boolean; children: ComponentChildren }) {
  return (
    <button type="button" class={props.isStrong ? 'button button-strong' : 'button'} onClick={props.onClick}>
      {props.children}
    </button>
  )
}

interface CountdownProps {
  kind: 'limit' | 'starting'
  seconds: number
  again: () => void
  /** Shown before the text: how much of the work is finished. */
  progress?: ComponentChildren
}

const TICK_MS = 250

/** Counts down, then retries. The countdown uses the clock, because a background tab may sleep. */
export function Countdown({ kind, seconds, again, progress }: CountdownProps) {
  const { t } = useSurroundings()
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const now = Math.ceil((end - Date.now()) / 1000)
      if (now > 0) return setLeft(now)
      clearInterval(timer)
      again()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const [title, text] = kind === 'limit' ? [t.limitTitle, t.limitText] : [t.startingTitle, t.startingText]
  // screen readers do not read the seconds
  const shown = (
    <b class="seconds" aria-live="off">
      {t.seconds(left)}
    </b>
  )
  return (
    <Notice kind={kind} title={title} text={[progress && [progress, ' '], fill(text, { seconds: shown })]} seconds={seconds}>
      {seconds > 60 && <Button onClick={again}>{t.again}</Button>}
    </Notice>
  )
}

export function Slow({ again }: { again: () => void }) {
  const { t } = useSurroundings()
  return (
    <Notice kind="slow" title={t.slowTitle} text={t.slowText}>
      <Button onClick={again}>{t.again}</Button>
    </Notice>
  )
}

function Broken({ id, again }: { id: string | null; again: () => void }) {
  const { t } = useSurroundings()
  const text = [t.brokenText, id !== null && [' ', fill(t.brokenId, { id: <code>{id}</code> })]]
  return (
    <Notice kind="broken" title={t.brokenTitle} text={text}>
      <Button onClick={again}>{t.again}</Button>
    </Notice>
  )
}

const OFFLINE_AGAIN_MS = 4000

/** A notice that retries by itself. */
function Offline({ again }: { again: () => void }) {
  const { t } = useSurroundings()
  useEffect(() => {
    const timer = setTimeout(again, OFFLINE_AGAIN_MS)
    window.addEventListener('online', again)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', again)
    }
  }, [])
  return (
    <Notice kind="offline" title={t.offlineTitle} text={t.offlineText}>
      <Button onClick={again}>{t.again}</Button>
    </Notice>
  )
}

export function Lost() {
  const { t, to } = useSurroundings()
  return (
    <Notice kind="lost" title={t.lostTitle} text={t.lostText}>
      <a class="button" href={to('/')}>
        {t.toStart}
      </a>
      <a class="button" href={to('/browse')}>
        {t.toBrowse}
      </a>
    </Notice>
  )
}

interface TroubleProps {
  trouble: Trouble
  again: () => void
  progress?: ComponentChildren
}

export function TroubleNotice({ trouble, again, progress }: TroubleProps) {
  switch (trouble.kind) {
    case 'key':
      return <KeyForm reason={trouble.reason} />
    case 'limit':
    case 'starting':
      return <Countdown kind={trouble.kind} seconds={trouble.seconds} again={again} progress={progress} />
    case 'offline':
      return <Offline again={again} />
    case 'missing':
      return <MissingCode wanted="" nearest={trouble.nearest ?? ''} movedTo={trouble.movedTo} load={loadSuccessors} />
    default:
      return <Broken id={trouble.kind === 'broken' ? trouble.id : null} again={again} />
  }
}

/** Grey placeholder lines. */
export function Skeleton({ lines }: { lines: number }) {
  const { t } = useSurroundings()
  return (
    <div class="skeleton">
      <span class="unseen">{t.loading}</span>
      {Array.from({ length: lines }, (_, i) => (
        <i key={i} aria-hidden="true" />
      ))}
    </div>
  )
}
