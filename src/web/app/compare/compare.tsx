/** Two to four codes side by side; the address names them. */
import { useEffect } from 'preact/hooks'
import { digitsOf } from '../../../codes/digits.js'
import type { Route } from '../data/address.js'
import type { Answer } from '../data/answer.js'
import { ask } from '../data/api.js'
import { facts } from '../data/facts.js'
import { COMPARED_MAX, compared } from '../data/kept-codes.js'
import { loadSuccessors } from '../data/moved.js'
import { query } from '../data/query.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { CompareLink } from '../shared/compare-link.js'
import { componentView, type PageProps } from '../shared/component-view.js'
import { KeptLists } from '../shared/kept-lists.js'
import { Skeleton } from '../shared/notices.js'
import { type Page, usePage, type View } from '../shared/page.js'
import { surroundings } from '../shared/surroundings.js'
import { MissingCode } from '../ui/missing.js'
import { Surrounded, useSurroundings } from '../ui/surroundings.js'
import { AddForm } from './add-form.js'
import { compareStrings } from './compare-strings.js'
import { type Compared, ComparedTable } from './table.js'

type CompareRoute = Extract<Route, { page: 'compare' }>

const INCLUDE = 'path,rate,unit,notes,controls,examples,lines,countries'

const codesIn = (list: string) => [...new Set(list.split(',').map(digitsOf))].filter(one => one !== '')

/** The record, or the reason why there is none. */
type Column = { asked: string; answer: Answer<Compared> }

async function askAll(codes: string, signal: AbortSignal): Promise<Answer<Column[]>> {
  await facts()
  const columns = await Promise.all(
    codesIn(codes).map(async asked => ({
      asked,
      answer: await ask<Compared>(query(`hs-codes/${asked}`, { include: INCLUDE }), { signal }),
    })),
  )
  // a problem that concerns all columns is shown once
  for (const { answer } of columns) if (answer.kind !== 'ok' && answer.kind !== 'missing') return answer
  return { kind: 'ok', data: columns, meta: { total: columns.length, count: columns.length }, text: '' }
}

export function compareView(page: Page, first: CompareRoute): View {
  return { ...componentView(page, ComparePage, first), title: surroundings().t.compareTitle }
}

function ComparePage({ route }: PageProps<CompareRoute>) {
  const { t, lang } = useSurroundings()
  const s = compareStrings[lang]
  const named = codesIn(route.codes)
  const codes = named.slice(0, COMPARED_MAX)
  const asked = useAnswer(codes.length === 0 ? null : codes.join(), askAll)
  const goTo = useGoTo()
  const found = foundIn(asked.answer?.data ?? [])
  useEffect(() => {
    if (asked.answer !== undefined) compared.set(found.map(({ hs_code, description }) => ({ hs_code, description })))
  }, [asked.answer])
  return (
    <div class="compare">
      <div class="page-head">
        <h1>{t.compareTitle}</h1>
        <p class="hint">{s.text}</p>
      </div>
      <div class="compare-tools">
        {codes.length < COMPARED_MAX && <AddForm key={route.codes} codes={codes} add={digits => goTo([...codes, digits])} />}
        {named.length > COMPARED_MAX && <p class="warning">{s.tooMany}</p>}
      </div>
      {codes.length === 0 ? (
        <div class="compare-place">
          <p>
            {s.none} <CompareLink />
          </p>
          <KeptLists />
        </div>
      ) : (
        <Answered class="compare-place" asked={asked} waiting={<Skeleton lines={8} />}>
          {columns => (
            // `longestLine` may have become known with the answer
            <Surrounded value={surroundings()}>
              {columns.map(({ asked, answer }) => answer.kind === 'missing' && missing(asked, answer))}
              {found.length === 1 && <p class="hint">{s.more}</p>}
              {found.length > 0 && <ComparedTable found={found} goTo={goTo} />}
            </Surrounded>
          )}
        </Answered>
      )}
    </div>
  )
}

function useGoTo() {
  const page = usePage()
  const { to } = useSurroundings()
  return (codes: readonly string[]) => page.go(to('/compare', { codes: codes.join() }))
}

const foundIn = (columns: readonly Column[]) => columns.flatMap(({ answer }) => (answer.kind === 'ok' ? [answer.data] : []))

const missing = (wanted: string, { nearest, movedTo }: Extract<Column['answer'], { kind: 'missing' }>) => (
  <MissingCode key={wanted} wanted={wanted} nearest={nearest ?? ''} movedTo={movedTo} load={loadSuccessors} />
)
