/** The page of a code. */
import type { PathStep } from '../../../answers/shapes.js'
import { SUBHEADING_DIGITS } from '../../../codes/levels.js'
import { directionOf, fillText } from '../text/written.js'
import { fill, Icon, levelName, Part, showBadge, showCode, showCodeLink, showWords } from '../ui/parts.js'
import { useIsMounted, useSurroundings } from '../ui/surroundings.js'
import { CodeList, type ListControl } from './code-list.js'
import { ControlList, Facts } from './controls.js'
import { CountryTable } from './countries.js'
import { hasEstimate, type RecordActions, type RecordData, type WholeRecord } from './data.js'
import { Duty } from './duty.js'
import { Editions } from './editions.js'
import { Notes } from './notes.js'
import { SeeAlso } from './see-also.js'
import { Siblings } from './siblings.js'

/**
 * Number of lines shown for chapters and headings. Visitors open a subheading to see its lines, so a subheading shows a full
 * page of them.
 */
const FEW_LINES = 10

export function RecordPage({ record, siblings, actions }: RecordData & { actions?: RecordActions }) {
  const surroundings = useSurroundings()
  const { t, longestLine } = surroundings
  const isMounted = useIsMounted()
  const { hs_code, level, path, children, lines } = record
  const isLine = level >= longestLine
  const isAboveSubheadings = level < SUBHEADING_DIGITS
  // the list that is printed in full
  const list: ListControl = { all: async () => {} }
  const inBrowser = isMounted ? actions : undefined
  return (
    <article class="record" data-level={level}>
      <Crumbs path={path} last={hs_code} />
      <header class="record-head">
        <div class="record-code">
          <h1>
            <span class="unseen">{fillText(t.record, { code: '' })}</span>
            {showCode(hs_code)}
          </h1>
          {showBadge(surroundings, record.tariff_rate, record.rate)}
          <span class="level">{levelName(surroundings, level)}</span>
          {!record.is_active && <span class="badge badge-high">{t.inactive}</span>}
          {inBrowser?.keepButtons}
        </div>
        <Declared record={record} isLine={isLine} toLines={actions?.toLines} />
        <BothLanguages record={record} />
        {inBrowser?.printNote}
        <Facts record={record} />
        <Examples record={record} />
        {inBrowser?.tools(() => list.all())}
      </header>
      {record.controls.items.length > 0 && (
        <Part name="controls" title={t.controlsTitle}>
          <ControlList controls={record.controls} />
        </Part>
      )}
      <div class="pair">
        <Duty record={record} />
        {hasEstimate(record) && inBrowser?.calculator}
      </div>
      <CountryTable record={record} />
      {record.see_also.items.length > 0 && (
        <Part name="see-also" title={t.seeAlsoTitle} text={t.seeAlsoText}>
          <SeeAlso pointers={record.see_also.items} />
        </Part>
      )}
      <Notes record={record} loadButton={inBrowser?.notesButton} />
      {isAboveSubheadings && (
        <Part name="below" title={t.childrenTitle}>
          <CodeList
            page={children}
            first={children.items.length}
            actions={inBrowser}
            path={`hs-codes/${hs_code}/children`}
            control={list}
          />
        </Part>
      )}
      {!isLine && (
        <Part name="lines" title={t.linesTitle(longestLine)} text={t.linesText}>
          <CodeList
            page={lines}
            first={isAboveSubheadings ? FEW_LINES : lines.items.length}
            actions={inBrowser}
            path={`hs-codes/${hs_code}/lines`}
            control={isAboveSubheadings ? undefined : list}
          />
        </Part>
      )}
      <Part name="siblings" title={t.siblingsTitle} text={t.siblingsText}>
        <Siblings here={record} first={siblings} loadAll={inBrowser?.allSiblings} tellApart={inBrowser?.tellApart} />
      </Part>
      <Part name="editions" title={t.editionsTitle}>
        <Editions record={record} />
      </Part>
    </article>
  )
}

function Crumbs({ path, last }: { path: readonly PathStep[]; last: string }) {
  const surroundings = useSurroundings()
  const { t, to } = surroundings
  return (
    <nav class="crumbs" aria-label={t.path}>
      <ol>
        {path.map(({ hs_code, description }) => (
          <li key={hs_code}>
            <a href={to(`/code/${hs_code}`)}>
              {showCode(hs_code)} {showWords(surroundings, description)}
            </a>
          </li>
        ))}
        <li aria-current="page">{showCode(last)}</li>
      </ol>
      <a class="in-tree" href={to(`/browse/${last}`)}>
        <Icon name="tree" />
        {t.seeInTree}
      </a>
    </nav>
  )
}

/** Shows first whether goods are declared under this code or under a line below it. */
function Declared(props: { record: WholeRecord; isLine: boolean; toLines: ((event: Event) => void) | undefined }) {
  const { record, isLine, toLines } = props
  const surroundings = useSurroundings()
  const { t } = surroundings
  const { total, items } = record.lines
  const [only] = items
  if (isLine) return <p class="declared">{t.thisIsLine}</p>
  if (total === 1 && only !== undefined)
    return <p class="declared">{fill(t.onlyLine, { code: showCodeLink(surroundings, only.hs_code) })}</p>
  return (
    <p class="declared">
      {total > 1 && (
        // biome-ignore lint/a11y/useValidAnchor: without JavaScript it is a real link
        <a href="#part-lines" onClick={toLines}>
          {t.chooseLine(total)}
        </a>
      )}
    </p>
  )
}

/** The visitor's language first. */
function BothLanguages({ record: { description } }: { record: WholeRecord }) {
  const { t, lang, other } = useSurroundings()
  return (
    <div class="descriptions">
      {[lang, other].map(one => (
        <div key={one}>
          <div dir={directionOf(one)}>
            <span class="tongue">{one === 'ar' ? t.inArabic : t.inEnglish}</span>
            <p lang={one}>{description[one] || <span class="hint">{t.noWords}</span>}</p>
          </div>
        </div>
      ))}
    </div>
  )
}

/** Everyday names, those in the visitor's language first. */
function Examples({ record: { examples } }: { record: WholeRecord }) {
  const { t, lang, other } = useSurroundings()
  const shown = [lang, other].filter(one => examples[one].length > 0)
  if (shown.length === 0) return null
  return (
    <div class="names">
      <h2 class="tongue">{t.namesTitle}</h2>
      {shown.map(one => (
        <ul key={one} lang={one} dir={directionOf(one)}>
          {examples[one].map(name => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      ))}
    </div>
  )
}
