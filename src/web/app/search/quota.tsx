/** Shows the remaining quota while it is low, and a notice while a search waits for more. */
import { useEffect, useState } from 'preact/hooks'
import { limits, refreshLimits } from '../data/api.js'
import { pause } from '../data/pace.js'
import { Button, Notice } from '../shared/notices.js'
import { fill } from '../ui/parts.js'
import { useSurroundings } from '../ui/surroundings.js'

/** The quota is low if half of the minute's requests, or only 20 of the day's, are left. */
const LOW_SHARE = 0.5
const LOW_DAY = 20
/** A limit of this size or more is not shown, such as that of visitors who need no key. */
const LARGE_LIMIT = 300
/** No header says when the minute ends, so the page polls the health check, which does not count as a request. */
const REFRESH_MS = 5_000

/** The line below the search box. */
export function QuotaLine() {
  const { t } = useSurroundings()
  const now = limits.value
  const { limit, remaining, limitDay, remainingDay } = now
  const isLowDay = remainingDay <= LOW_DAY
  const isShown = limit < LARGE_LIMIT && (isLowDay || remaining <= limit * LOW_SHARE)
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => void refreshLimits(AbortSignal.timeout(REFRESH_MS)), REFRESH_MS)
    return () => clearTimeout(timer)
  }, [now])
  return (
    <p class="quota" hidden={!isShown}>
      {isShown && (isLowDay ? t.quotaDay(remainingDay, limitDay) : t.quotaMinute(remaining, limit))}
    </p>
  )
}

/** Shown instead of results for the typed text, until Enter or the next minute. */
export function WaitingForQuota({ q, go }: { q: string; go: () => void }) {
  const { t } = useSurroundings()
  const [{ limit, remaining }] = useState(limits.peek())
  const now = limits.value
  useEffect(() => {
    if (pause(true) !== null) go()
  }, [q, now])
  return (
    <Notice kind="quota" title={t.quotaMinute(remaining, limit)} text={fill(t.quotaWaits, { q: <bdi>{q}</bdi> })}>
      <Button isStrong onClick={go}>
        {t.quotaNow}
      </Button>
    </Notice>
  )
}
