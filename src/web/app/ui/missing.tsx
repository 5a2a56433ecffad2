/** A code that does not exist: its successors, or the nearest existing code. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { HsRecord } from '../../../answers/shapes.js'
import { digitsAmong } from '../../../codes/digits.js'
import { headingOf } from '../../../codes/levels.js'
import { likelyOf } from '../text/likely.js'
import { cut } from '../text/written.js'
import { fill, leftToRight, showCode, showCodeLink, showWords } from './parts.js'
import { useSurroundings } from './surroundings.js'

const SHOWN_CHARS = 40

/** Shortens text from an address for display, because it can have any length. */
export const shownText = (text: string) => cut(text, SHOWN_CHARS)

/** Successors of a code of an earlier edition. */
export interface Successors {
  edition: string
  records: readonly Pick<HsRecord, 'hs_code' | 'description'>[]
}

interface Props {
  wanted: string
  /** The longest existing prefix; '' if there is none. */
  nearest: string
  movedTo: readonly string[]
  /** Successors with edition and words, if loaded. */
  successors?: Successors | undefined
  load?: (wanted: string) => Promise<Successors | undefined>
}

export function MissingCode({ wanted, nearest, movedTo, successors, load }: Props) {
  const surroundings = useSurroundings()
  const { t, to } = surroundings
  const [known, setKnown] = useState(successors)
  useEffect(() => {
    if (known === undefined && movedTo.length > 0) void load?.(wanted).then(setKnown)
  }, [])
  const isMoved = movedTo.length > 0
  const q = nearest === '' ? headingOf(wanted) : nearest
  return (
    <Notice title={fill(isMoved ? t.movedTitle : t.missingTitle, { code: showCode(wanted) })} text={text(known)}>
      {isMoved && <SuccessorList wanted={wanted} movedTo={movedTo} known={known} />}
      <SearchLink q={q} />
      <a class="button" href={to(nearest === '' ? '/browse' : `/browse/${nearest}`)}>
        {t.toBrowse}
      </a>
    </Notice>
  )

  function text(successors: Successors | undefined): ComponentChildren {
    if (!isMoved) return nearest === '' ? t.missingText : fill(t.missingNearest, { code: showCodeLink(surroundings, nearest) })
    if (successors === undefined) return t.missingMoved
    const edition = leftToRight(`HS ${successors.edition}`)
    return fill(successors.records.length === 1 ? t.movedOne : t.movedSeveral, { edition })
  }
}

/** Shown for text that is not a code, although the digits in the text may be one. */
export function NotCode({ text }: { text: string }) {
  const surroundings = useSurroundings()
  const { t } = surroundings
  const shown = shownText(text)
  const digits = digitsAmong(text)
  return (
    <Notice
      title={fill(t.notCodeTitle, { code: <bdi>{shown}</bdi> })}
      text={digits === '' ? t.notCodeText : fill(t.didYouMean, { code: showCodeLink(surroundings, digits) })}
    >
      <SearchLink q={shown} />
    </Notice>
  )
}

function Notice({ title, text, children }: { title: ComponentChildren; text: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="notice notice-missing" data-state="missing" role="status">
      <h1>{title}</h1>
      <p>{text}</p>
      <div class="ways">{children}</div>
    </section>
  )
}

function SearchLink({ q }: { q: string }) {
  const { t, to } = useSurroundings()
  return (
    <a class="button" href={to('/', { q })}>
      {fill(t.searchFor, { q: <bdi>{q}</bdi> })}
    </a>
  )
}

/** Shows no rates: the answer has no range, and a single rate would be wrong if the lines' rates differ. */
function SuccessorList({
  wanted,
  movedTo,
  known,
}: {
  wanted: string
  movedTo: readonly string[]
  known: Successors | undefined
}) {
  const { t } = useSurroundings()
  const words = new Map(known?.records.map(({ hs_code, description }) => [hs_code, description]))
  const codes = known === undefined ? movedTo : [...words.keys()]
  const likely = likelyOf(wanted, codes)
  const rare = codes.filter(one => !likely.includes(one))
  const list = (shown: readonly string[]) => (
    <ul class="codes">
      {shown.map(one => (
        <SuccessorRow key={one} digits={one} description={words.get(one)} />
      ))}
    </ul>
  )
  return (
    <div class="successors">
      {list(likely)}
      {rare.length > 0 && (
        <details class="rare">
          <summary>{t.movedRare(rare.length)}</summary>
          {list(rare)}
        </details>
      )}
    </div>
  )
}

function SuccessorRow({ digits, description }: { digits: string; description: HsRecord['description'] | undefined }) {
  const surroundings = useSurroundings()
  const { to } = surroundings
  return (
    <li>
      <a href={to(`/code/${digits}`)}>
        {showCode(digits)}
        {description && <span>{showWords(surroundings, description)}</span>}
      </a>
    </li>
  )
}
