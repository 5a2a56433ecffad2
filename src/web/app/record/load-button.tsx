/** A button that sends a request. Progress and errors are shown in its place. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { ask } from '../data/api.js'
import { useAnswer } from '../shared/answered.js'
import { Button, Slow, TroubleNotice } from '../shared/notices.js'

interface Props<T> {
  path: string
  label: string
  show: (data: T) => void
}

export function LoadButton<T>({ path, label, show }: Props<T>) {
  const [isPressed, setPressed] = useState(false)
  const asked = useAnswer<T>(isPressed ? path : null, (question, signal) => ask(question, { signal }))
  const { answer, trouble, isWaiting, isSlow, again } = asked
  useLayoutEffect(() => answer && show(answer.data), [answer])
  if (trouble !== undefined) return <TroubleNotice trouble={trouble} again={again} />
  return (
    <div class={isWaiting ? 'stale' : undefined} aria-busy={isWaiting || undefined}>
      {isSlow && <Slow again={again} />}
      <Button onClick={() => setPressed(true)}>{label}</Button>
    </div>
  )
}
