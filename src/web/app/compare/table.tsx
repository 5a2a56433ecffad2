/** One column per code, one row per property. */
import type { ComponentChildren } from 'preact'
import type { HsRecord, LookupExtras, Note } from '../../../answers/shapes.js'
import { compared } from '../data/kept-codes.js'
import { withoutPadded } from '../data/padded.js'
import { StarButton } from '../shared/keep-buttons.js'
import { differingWords } from '../text/differing-words.js'
import { directionOf, fillText } from '../text/written.js'
import { ControlItems, noControlsText, Unit } from '../ui/controls.js'
import { NotesPlace, noteKey } from '../ui/notes.js'
import { fill, Icon, levelName, showBadge, showCodeLink, showRanges, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings } from '../ui/surroundings.js'
import { compareStrings } from './compare-strings.js'

export type Compared = HsRecord &
  Pick<LookupExtras, 'path' | 'rate' | 'unit' | 'notes' | 'controls' | 'examples' | 'lines' | 'countries'>

interface Props {
  found: readonly Compared[]
  goTo: (codes: readonly string[]) => void
}

const areSame = (values: readonly unknown[]) =>
  values.length > 1 && new Set(values.map(value => JSON.stringify(value))).size === 1

export function ComparedTable({ found, goTo }: Props) {
  const surroundings = useSurroundings()
  const { t, lang, other, longestLine } = surroundings
  const s = compareStrings[lang]
  const country = found[0]?.rate.country
  const { own, shared } = notesOf(found)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="compare-scroll" aria-label={s.scrolls} tabIndex={0}>
        <table class="compare-table">
          <caption class="unseen">{t.compareTitle}</caption>
          <thead>
            <tr>
              {found.map(one => (
                <HeadCell key={one.hs_code} one={one} found={found} goTo={goTo} />
              ))}
            </tr>
          </thead>
          {[lang, other].map(which => (
            <Row
              key={which}
              name={`words-${which}`}
              title={which === 'ar' ? t.inArabic : t.inEnglish}
              cells={wordCells(surroundings, found, which)}
            />
          ))}
          <Row name="path" title={s.path} cells={pathCells(surroundings, found)} />
          <Row
            name="rate"
            title={country === undefined ? s.rate : fillText(s.rateIn, { country: t.countries[country] ?? '' })}
            cells={found.map(one => rateCell(surroundings, one))}
            isSame={areSame(found.map(({ tariff_rate, rate: { min, max, status } }) => [tariff_rate, min, max, status]))}
          />
          <Row
            name="lines"
            title={fillText(s.lines, { digits: longestLine })}
            cells={found.map(one => linesCell(surroundings, one))}
          />
          <Row
            name="unit"
            title={t.unitTitle}
            cells={found.map(({ unit }) => <Unit unit={unit} />)}
            isSame={areSame(found.map(({ unit }) => unit?.code ?? null))}
          />
          <Row
            name="controls"
            title={t.controlsTitle}
            cells={found.map(one =>
              one.controls.items.length === 0 ? (
                <span class="hint">{noControlsText(surroundings, one)}</span>
              ) : (
                <ControlItems items={one.controls.items} />
              ),
            )}
            isSame={areSame(found.map(({ controls }) => controls.items))}
          />
          <Row
            name="notes"
            title={s.notes}
            cells={own.map(notes => (notes.length === 0 ? <span class="hint">{s.noNotes}</span> : <NotesPlace notes={notes} />))}
          />
          {shared.length > 0 && (
            <Row
              name="shared-notes"
              title={s.sharedNotes}
              cells={[<NotesPlace key="all" notes={shared} />]}
              columns={found.length}
            />
          )}
          <Row name="names" title={s.names} cells={found.map(one => namesCell(surroundings, one))} />
        </table>
      </section>
      {found[0] !== undefined && <p class="hint">{showWords(surroundings, found[0].controls.note)}</p>}
    </>
  )
}

function HeadCell({ one, found, goTo }: { one: Compared } & Props) {
  const surroundings = useSurroundings()
  const { hs_code, level } = one
  const remove = () => {
    compared.remove(hs_code)
    goTo(found.map(other => other.hs_code).filter(other => other !== hs_code))
  }
  return (
    <th scope="col">
      <div class="compare-head">
        {showCodeLink(surroundings, hs_code)}
        <span class="level">{levelName(surroundings, level)}</span>
        <button
          type="button"
          class="quiet square"
          aria-label={fillText(compareStrings[surroundings.lang].remove, { code: hs_code })}
          onClick={remove}
        >
          <Icon name="close" />
        </button>
      </div>
      <StarButton one={one} />
    </th>
  )
}

interface RowProps {
  name: string
  title: string
  cells: readonly ComponentChildren[]
  isSame?: boolean
  /** Number of columns that a single cell spans. */
  columns?: number
}

/** A title over the full width, then one cell per code. */
function Row({ name, title, cells, isSame = false, columns = cells.length }: RowProps) {
  const s = compareStrings[useSurroundings().lang]
  return (
    <tbody>
      <tr class="compare-title">
        <th scope="rowgroup" colSpan={columns}>
          <span>
            {title}
            {isSame && <span class="hint">{` · ${s.same}`}</span>}
          </span>
        </th>
      </tr>
      <tr class={`compare-${name}`}>
        {cells.map((cell, i) => (
          <td key={i} colSpan={cells.length < columns ? columns : undefined}>
            {cell}
          </td>
        ))}
      </tr>
    </tbody>
  )
}

function wordCells({ t }: Surroundings, found: readonly Compared[], which: 'en' | 'ar') {
  const texts = found.map(({ description }) => description[which])
  const ranges = differingWords(texts)
  return texts.map((text, i) =>
    text === '' ? (
      <span class="hint">{t.noWords}</span>
    ) : (
      <span lang={which} dir={directionOf(which)}>
        {showRanges(text, ranges[i] ?? [], 'mark')}
      </span>
    ),
  )
}

/** Highlights steps that the codes do not share. */
function pathCells(surroundings: Surroundings, found: readonly Compared[]) {
  const paths = found.map(({ path }) => withoutPadded(path))
  const isShared = (step: string) => paths.every(path => path.some(({ hs_code }) => hs_code === step))
  return paths.map(path => (
    <ol class="steps-down">
      {path.map(({ hs_code, description }) => (
        <li key={hs_code} class={isShared(hs_code) ? 'shared' : undefined}>
          {showCodeLink(surroundings, hs_code)} {showWords(surroundings, description)}
        </li>
      ))}
    </ol>
  ))
}

function rateCell(surroundings: Surroundings, { hs_code, tariff_rate, rate }: Compared) {
  const { t, lang } = surroundings
  return (
    <>
      <p>{showBadge(surroundings, tariff_rate, rate)}</p>
      <p class="hint">{t.certainty[rate.certainty ?? ''] ?? ''}</p>
      {rate.from !== hs_code && (
        <p class="hint">{fill(compareStrings[lang].rateFrom, { code: showCodeLink(surroundings, rate.from) })}</p>
      )}
    </>
  )
}

function linesCell(surroundings: Surroundings, { hs_code, level, lines: { items, total } }: Compared) {
  const { t, lang, longestLine, to } = surroundings
  if (level >= longestLine) return compareStrings[lang].declared
  const [only] = items
  return total === 1 && only ? (
    showCodeLink(surroundings, only.hs_code)
  ) : (
    <a href={to(`/code/${hs_code}`)}>{t.chooseLine(total)}</a>
  )
}

/** Codes of one chapter share most notes, so shared notes are listed once. */
function notesOf(found: readonly Compared[]): { own: Note[][]; shared: Note[] } {
  const lists = found.map(({ notes }) => notes.items)
  const isShared = (note: Note) => lists.length > 1 && lists.every(list => list.some(one => noteKey(one) === noteKey(note)))
  return {
    own: lists.map(list => list.filter(note => !isShared(note))),
    shared: (lists[0] ?? []).filter(isShared),
  }
}

function namesCell({ lang }: Surroundings, { examples }: Compared) {
  const names = examples[lang]
  return names.length === 0 ? <span class="hint">{compareStrings[lang].noNames}</span> : names.join(lang === 'ar' ? '، ' : ', ')
}
