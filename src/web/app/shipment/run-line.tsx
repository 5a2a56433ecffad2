/** Shows the progress of the requests for the rows, and when they resume. */
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shared/announce.js'
import { TroubleNotice } from '../shared/notices.js'
import { fill } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'
import { shipmentStrings } from './shipment-strings.js'
import type { Run } from './use-shipment.js'

const TICK_MS = 250

export interface Progress {
  kind: 'resolve' | 'classify' | 'estimate'
  done: number
  all: number
}

interface Props {
  run: Run
  /** Progress of the current kind of question; null if no question is left. */
  progress: Progress | null
  stop: () => void
  goOn: () => void
}

export function RunLine({ run, progress, stop, goOn }: Props) {
  const { lang } = useSurroundings()
  const s = shipmentStrings[lang]
  const sentence = { resolve: s.resolving, classify: s.classifying, estimate: s.estimating }
  const text = progress === null ? '' : sentence[progress.kind](progress.done, progress.all)
  if (run.kind === 'trouble') return <TroubleNotice trouble={run.trouble} again={goOn} />
  if (progress === null && run.kind !== 'waiting') return null
  return (
    <div class="ship-run" data-run={run.kind}>
      {progress !== null && run.kind === 'asking' && <progress max={progress.all} value={progress.done} aria-label={text} />}
      <span>{text}</span>
      {run.kind === 'waiting' && <Waiting key={run.untilMs} run={run} />}
      {run.kind === 'stopped' ? (
        <>
          <span>{s.stopped}</span>
          <button type="button" class="button" data-run-button onClick={goOn}>
            {s.goOn}
          </button>
        </>
      ) : (
        <button type="button" class="button" data-run-button onClick={stop}>
          {s.stop}
        </button>
      )}
    </div>
  )
}

/**
 * The countdown uses the clock, because a background tab may sleep. Screen readers announce the wait once, not every second.
 */
function Waiting({ run }: { run: Extract<Run, { kind: 'waiting' }> }) {
  const { lang, t } = useSurroundings()
  const s = shipmentStrings[lang]
  const leftNow = () => Math.max(1, Math.ceil((run.untilMs - Date.now()) / 1000))
  const [left, setLeft] = useState(leftNow)
  const time = new Intl.DateTimeFormat(`${lang}-u-nu-latn`, { timeStyle: 'short' }).format(run.untilMs)
  const sentence = { limit: s.waitsFor, starting: s.starts, offline: s.offline }[run.why]
  useEffect(() => {
    announce(sentence.replace('{seconds}', t.seconds(leftNow())).replace('{time}', time))
    const timer = setInterval(() => setLeft(leftNow()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span data-state={run.why}>
      {fill(sentence, { seconds: <b class="seconds">{t.seconds(left)}</b>, time: <bdi>{time}</bdi> })}
    </span>
  )
}
