/** Candidates for a title: how they differ, which words of the title they match, and notes of their headings. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Candidate, Note } from '../../../answers/shapes.js'
import { HEADING_DIGITS, SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { words } from '../../../text/fold.js'
import { ask, type Code, type Step } from '../data/api.js'
import { pause } from '../data/pace.js'
import { query } from '../data/query.js'
import { EMPTY } from '../text/empty-words.js'
import { Marker } from '../text/mark.js'
import { rivalsAmong, scoreText } from '../text/score-strings.js'
import { stemmer } from '../text/stemmer.js'
import { type Range, tellApart } from '../text/tell-apart.js'
import { fill, showBadge, showCode, showIn, showMarks, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings, wordsIn } from '../ui/surroundings.js'
import { proposalStrings } from './proposal-strings.js'

const NOTES_MAX = 2
/** Bold words differ from the other candidates; marked words are in the title. */
function showTold(text: string, ranges: readonly Range[], marker: Marker | null): ComponentChildren[] {
  const marked = (piece: string) => (marker ? showMarks(marker.pieces(piece)) : [piece])
  const pieces: ComponentChildren[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push(marked(text.slice(from, start)), <b key={start}>{marked(text.slice(start, end))}</b>)
    from = end
  }
  return [...pieces, marked(text.slice(from))]
}

const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text)
const isRelated = (a: string, b: string) => a.startsWith(b) || b.startsWith(a)

const termsOf = (text: string) =>
  words(text)
    .filter(one => !EMPTY.has(one))
    .flatMap(one => stemmer.terms(one))

/** Notes that exclude goods and either refer to another candidate or contain words of the title that this candidate lacks. */
function exclusions(title: string, candidate: Candidate, codes: readonly string[], notes: readonly Note[]): Note[] {
  const { hs_code, matched, description } = candidate
  const own = new Set(termsOf([...matched, description.en, description.ar].join(' ')))
  const foreign = new Set(termsOf(title).filter(term => !own.has(term)))
  const others = codes.filter(one => !isRelated(one, hs_code))
  const excluding = notes.filter(({ kind }) => kind === 'excludes')
  const toOthers = excluding.filter(({ goes_to }) => goes_to.some(to => others.some(one => isRelated(one, to))))
  const named = excluding.filter(({ text }) => stemmer.terms(`${text.en} ${text.ar}`).some(term => foreign.has(term)))
  return [...new Set([...toOthers, ...named])].slice(0, NOTES_MAX)
}

export const showPath = (surroundings: Surroundings, path: readonly Step[]) => (
  <ol class="card-path">
    {path.map(step => (
      <li key={step.hs_code}>
        {showCode(step.hs_code)} {showWords(surroundings, step.description)}
      </li>
    ))}
  </ol>
)

/**
 * Loads the codes above the candidates with their paths, rate ranges and notes, one request each. Stops when the quota is
 * low.
 */
function useCodesAbove(candidates: readonly Candidate[], isLine: boolean): ReadonlyMap<string, Code> {
  const digits = isLine ? SUBHEADING_DIGITS : HEADING_DIGITS
  const wanted = [...new Set(candidates.map(({ hs_code }) => hs_code.slice(0, digits)))]
  const [above, setAbove] = useState<ReadonlyMap<string, Code>>(new Map())
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const include = `path,rate,notes,${isLine ? 'lines' : 'children'}`
    const load = async () => {
      for (const code of wanted) {
        if (pause(true) !== 0) return
        const answer = await ask<Code>(query(`hs-codes/${code}`, { include }), { signal }).catch(() => null)
        if (answer?.kind !== 'ok' || signal.aborted) return
        setAbove(before => new Map(before).set(code, answer.data))
      }
    }
    void load()
    return () => controller.abort()
  }, [wanted.join()])
  return new Map(candidates.map(({ hs_code }) => [hs_code, above.get(hs_code.slice(0, digits)) as Code]))
}

interface Props {
  title: string
  /** The candidates to show. */
  shown: readonly Candidate[]
  /** All candidates. Each shown candidate is compared with all of them to find the words that differ. */
  all: readonly Candidate[]
  /** The address after choosing a code. */
  way: (hsCode: string) => string
  isLine: boolean
}

export function Candidates({ title, shown, all, way, isLine }: Props) {
  const surroundings = useSurroundings()
  const texts = all.map(({ description }) => wordsIn(surroundings, description))
  const ranges = all.length > 1 ? tellApart(texts, true) : []
  const above = useCodesAbove(shown, isLine)
  const rivals = rivalsAmong(all)
  return (
    <ul class="candidates">
      {shown.map(one => (
        <Card
          key={one.hs_code}
          title={title}
          candidate={one}
          ranges={ranges[all.indexOf(one)] ?? []}
          rivals={rivals}
          isOnly={all.length === 1}
          above={above.get(one.hs_code)}
          way={way(one.hs_code)}
          isLine={isLine}
        />
      ))}
    </ul>
  )
}

interface CardProps {
  title: string
  candidate: Candidate
  ranges: readonly Range[]
  /** Codes of the likely candidates; this one may be among them. */
  rivals: readonly string[]
  isOnly: boolean
  /** The heading of a subheading, or the subheading of a line; undefined while it loads. */
  above: Code | undefined
  way: string
  isLine: boolean
}

function Card({ title, candidate, ranges, rivals, isOnly, above, way, isLine }: CardProps) {
  const surroundings = useSurroundings()
  const { lang, other, to } = surroundings
  const s = proposalStrings[lang]
  const { hs_code, description, tariff_rate, score, matched } = candidate
  const marker = matched.length > 0 ? new Marker(matched.join(' ')) : null
  const shown = description[lang] ? lang : other
  // also show the description in the title's language
  const second = shown === lang && isArabic(title) !== (lang === 'ar') ? description[other] : ''
  const same = [...(above?.children?.items ?? []), ...(above?.lines?.items ?? [])].find(one => one.hs_code === hs_code)
  const excluding = exclusions(title, candidate, rivals, above?.notes?.items ?? [])
  return (
    <li data-code={hs_code}>
      <p class="card-head">
        <a class="hit" href={to(`/code/${hs_code}`)}>
          {showCode(hs_code)}
        </a>
        <span class="card-rate">{showBadge(surroundings, same?.tariff_rate ?? tariff_rate, same?.rate)}</span>
      </p>
      <p class="card-words">{showIn(shown, showTold(description[shown], ranges, marker))}</p>
      {second !== '' && <p class="card-second">{showIn(other, showTold(second, [], marker))}</p>}
      <p class="card-score">
        <progress max={1} value={score} aria-hidden="true" />
        <span>{scoreText(lang, score)}</span>
      </p>
      {matched.length > 0 && (
        <p class="card-matched">
          {fill(s.matched, {
            words: matched.map((one, at) => [at > 0 && (lang === 'ar' ? '، ' : ', '), <bdi key={one}>{one}</bdi>]),
          })}
        </p>
      )}
      {/* lines of one subheading share one path */}
      {above && !isLine && showPath(surroundings, [...(above.path ?? []), above])}
      {excluding.length > 0 && (
        <div class="card-notes">
          <p>{s.excluded}</p>
          <ul>
            {excluding.map(({ text, goes_to }) => (
              <li key={text.en}>
                {showWords(surroundings, text)}
                {goes_to.length > 0 && [' ', fill(s.goesTo, { codes: goes_to.map((one, at) => [at > 0 && ' ', showCode(one)]) })]}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p class="card-pick">
        <a class={isOnly ? 'button button-strong' : 'button'} href={way}>
          {fill(isLine ? s.pickLine : s.pick, { code: showCode(hs_code) })}
        </a>
      </p>
    </li>
  )
}
