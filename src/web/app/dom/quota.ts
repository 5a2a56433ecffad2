/** What is left of the quota, shown while it is low; and what waits until more is left. */
import { LIMITS_CHANGED, limits, refreshLimits } from '../data/api.js'
import { pause } from '../data/pace.js'
import { t } from '../shared/language.js'
import { fill, h, isolated, replace } from './dom.js'
import { button, notice } from './states.js'

/** Half of a minute's requests, or the last of a day. */
const LOW_SHARE = 0.5
const LOW_DAY = 20
/** A quota that visitors share is large; it is not worth a line. */
const LARGE_LIMIT = 300
/** Nothing says when a minute ends, so the health check is asked, which counts as no request. */
const REFRESH_MS = 5_000

function leftText(): string | null {
  const { limit, remaining, limitDay, remainingDay } = limits
  if (limit >= LARGE_LIMIT) return null
  if (remainingDay <= LOW_DAY) return t.quotaDay(remainingDay, limitDay)
  return remaining <= limit * LOW_SHARE ? t.quotaMinute(remaining, limit) : null
}

/** The line below the search box. */
export function quotaLine(): HTMLElement {
  const line = h('p', { class: 'quota', hidden: true })
  let timer = 0
  const show = () => {
    const text = leftText()
    line.hidden = text === null
    line.textContent = text ?? ''
    clearTimeout(timer)
    if (text !== null) timer = window.setTimeout(() => void refreshLimits(AbortSignal.timeout(REFRESH_MS)), REFRESH_MS)
  }
  window.addEventListener(LIMITS_CHANGED, show)
  return line
}

/** Stands where results of typed text would, until Enter or the next minute. `stop` ends the waiting. */
export function waitForQuota(place: Element, q: string, go: () => void): { stop: () => void } {
  const { limit, remaining } = limits
  const check = () => {
    if (pause(true) === null) return
    stop()
    go()
  }
  const stop = () => window.removeEventListener(LIMITS_CHANGED, check)
  window.addEventListener(LIMITS_CHANGED, check)
  const now = button(t.quotaNow, go, { class: 'button button-strong' })
  replace(place, notice('quota', t.quotaMinute(remaining, limit), fill(t.quotaWaits, { q: isolated(q) }), now))
  return { stop }
}
