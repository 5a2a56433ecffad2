/** One result, and moving between results by keyboard. */
import type { Code, Step } from '../data/api.js'
import { PickButton } from '../shared/keep-buttons.js'
import type { Marker } from '../text/mark.js'
import { stemmer } from '../text/stemmer.js'
import { fill, levelName, showBadge, showCode, showCodeLink, showIn, showMarks, showWords } from '../ui/parts.js'
import type { Surroundings } from '../ui/surroundings.js'
import type { Row } from './arrange.js'

/** The path to a code as text: "09 Coffee, tea… › 0902 Tea". */
const showWay = (surroundings: Surroundings, steps: readonly Step[]) => (
  <span class="way">
    {steps.map(step => (
      <span key={step.hs_code}>
        {showCode(step.hs_code)} {showWords(surroundings, step.description)}
      </span>
    ))}
  </span>
)

/** `typed`: the typed digits, if the query is a code. */
export function showResult(surroundings: Surroundings, row: Row, marker: Marker, typed: string) {
  const { t, to, lang, other } = surroundings
  const { one, padded, way, isUnder } = row
  const { hs_code, description } = one
  const shown = description[lang] ? lang : other
  const second = description[lang] ? description[other] : ''
  const classes = [way === null && 'same', isUnder && 'under'].filter(Boolean).join(' ')
  return (
    <li key={hs_code} class={classes || undefined}>
      {way !== null && way.length > 0 && (
        <p class="above">
          <span class="unseen">{t.path}: </span>
          {showWay(surroundings, way)}
        </p>
      )}
      <a href={to(`/code/${hs_code}`)} class="hit">
        {showCode(hs_code, hs_code.startsWith(typed) ? typed.length : 0)}
        <span class="hit-words">{showWords(surroundings, description, showMarks(marker.pieces(description[shown])))}</span>{' '}
        <span class="hit-facts">
          {showBadge(surroundings, one.tariff_rate, one.rate)}{' '}
          <span class="level">{levelName(surroundings, one.level ?? hs_code.length)}</span>
        </span>
      </a>
      {second !== '' && <p class="second">{showIn(other, showMarks(marker.pieces(second)))}</p>}
      {showMatched(surroundings, one, marker)}
      {padded.length > 0 && (
        <p class="also">
          {t.alsoAs} {padded.map((code, at) => [at > 0 && ' ', showCodeLink(surroundings, code)])}
        </p>
      )}
      <PickButton one={one} />
    </li>
  )
}

function markedStems(marker: Marker, text: string): Set<string> {
  const marks = marker.pieces(text).filter(({ isMarked }) => isMarked)
  return new Set(marks.flatMap(({ text }) => stemmer.terms(text)))
}

/** The everyday name that matched, if the description does not explain the result. */
function showMatched({ t }: Surroundings, { matched: name, description }: Code, marker: Marker) {
  if (!name) return null
  const named = markedStems(marker, name.text)
  const described = new Set([description.en, description.ar].flatMap(text => [...markedStems(marker, text)]))
  // if neither the name nor the description has a word of the query, show the name
  const isShown = named.size > 0 ? [...named].some(stem => !described.has(stem)) : described.size === 0
  if (!isShown) return null
  return <p class="matched">{fill(t.matched, { name: showIn(name.lang, showMarks(marker.pieces(name.text))) })}</p>
}

const HITS = '.hit'

/** Arrow keys move between results. Up from the first one, or Escape, returns to the search box. */
export function moveAmong(event: KeyboardEvent): void {
  const link = (event.target as Element).closest<HTMLElement>(HITS)
  if (!link) return
  const links = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>(HITS)].filter(one => one.offsetParent !== null)
  const at = links.indexOf(link)
  const box = document.getElementById('q')
  const steps: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: links[at + 1] ?? link,
    ArrowUp: at === 0 ? box : links[at - 1],
    Home: links[0],
    End: links.at(-1),
    Escape: box,
  }
  const next = steps[event.key]
  if (!next) return
  event.preventDefault()
  next.focus()
}
