/** A note below the search box with the date of answers that come from storage. */
import { keptSince } from '../data/answer.js'
import { useSurroundings } from '../ui/surroundings.js'
import { keptStrings } from './kept-strings.js'

const askAgain = async () => (await import('../data/kept-answers.js')).askAgain()

export function OfflineNote() {
  const { lang } = useSurroundings()
  const since = keptSince.value
  if (since === null) return null
  const t = keptStrings[lang]
  const date = new Intl.DateTimeFormat(lang === 'ar' ? 'ar-u-nu-latn' : 'en-GB', { dateStyle: 'long', timeStyle: 'short' })
  return (
    <p class="offline-note" role="status">
      <b>{t.offline}</b> {t.asOf(date.format(since))}{' '}
      <button type="button" class="quiet" onClick={() => void askAgain()}>
        {t.again}
      </button>
    </p>
  )
}
