/** The classifier's answer for a title: best code, deciding question, other candidates, and finally a line. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Candidate, Classified, ClassifyQuestion } from '../../../answers/shapes.js'
import { type SearchRoute, toSearch } from '../data/address.js'
import { ask, type Code, recall } from '../data/api.js'
import { withoutPadded } from '../data/padded.js'
import { query } from '../data/query.js'
import { announce } from '../shared/announce.js'
import { Answered, useAnswer } from '../shared/answered.js'
import { CopyButton } from '../shared/copy-button.js'
import { Notice } from '../shared/notices.js'
import { fill, Icon, showBadge, showCode, showIn, showWords } from '../ui/parts.js'
import { type Surroundings, useSurroundings, wordsIn } from '../ui/surroundings.js'
import { Candidates, showPath } from './candidates.js'
import { usePaced } from './paced.js'
import { proposalStrings } from './proposal-strings.js'
import { ProposalWaiting } from './proposal-waiting.js'
import { askStages, classifyPath, isSame, readSteps, type Step, subheadingOf, writeSteps } from './steps.js'

/** Pause in typing: a title takes one more request, so it is not sent at every letter. */
const QUIET_MS = 500

interface Proposed {
  title: string
  steps: readonly Step[]
  stages: readonly Classified[]
}

interface Props {
  route: SearchRoute
  isTyped: boolean
  /** Whether the results already show the problem. */
  isTroubleShown: boolean
}

export function Proposal({ route, isTyped, isTroubleShown }: Props) {
  const { lang } = useSurroundings()
  const s = proposalStrings[lang]
  const title = route.q.replace(/\s+/g, ' ').trim()
  const steps = readSteps(route.steps)
  const wanted = `${writeSteps(steps)} ${title}`
  const isKnown = recall(classifyPath(title, steps.at(-1))) !== undefined
  const { question } = usePaced(wanted, { isTyped, isKnown, quietMs: QUIET_MS })
  const asked = useAnswer<Proposed>(question, async (_, signal) => {
    const answer = await askStages(title, steps, signal)
    return answer.kind === 'ok' ? { ...answer, data: { title, steps, stages: answer.data } } : answer
  })
  const { answer, trouble } = asked
  // if the quota is low, a title waits for Enter
  if (question === null || (trouble !== undefined && (isTroubleShown || trouble.kind === 'key'))) return null
  if (answer === undefined && trouble === undefined) return <ProposalWaiting />
  return (
    <section class={question === wanted ? 'proposal' : 'proposal stale'} aria-label={s.title} data-of={answer?.data.title}>
      <Answered
        asked={asked}
        class="proposal-place"
        trouble={({ kind }) =>
          kind === 'refused' ? (
            <Notice kind="refused" title={s.refusedTitle} text={s.refusedText}>
              <a class="button" href={toSearch(route.q, { ...route, steps: '', isTitle: true })}>
                {s.withoutAnswers}
              </a>
            </Notice>
          ) : undefined
        }
      >
        {proposed => <Stage {...proposed} to={given => toSearch(title, { ...route, isTitle: true, steps: writeSteps(given) })} />}
      </Answered>
    </section>
  )
}

interface StageProps extends Proposed {
  /** The address with these answers. */
  to: (steps: readonly Step[]) => string
}

function Stage({ title, steps, stages, to }: StageProps) {
  const surroundings = useSurroundings()
  const { lang } = surroundings
  const s = proposalStrings[lang]
  const stage = stages.at(-1) as Classified
  const subheading = subheadingOf(steps.at(-1))
  const only = stage.candidates.length === 1 ? stage.candidates[0] : undefined
  const line = subheading === null ? undefined : only
  const heading = headingOf(surroundings, stage, line, subheading !== null)
  useEffect(() => announce(heading), [heading, title])
  const way = (...codes: string[]) => to([...steps, codes])
  return (
    <>
      <Steps steps={steps} stages={stages} to={to} />
      {line === undefined ? (
        <Choice title={title} heading={heading} stage={stage} isLine={subheading !== null} way={way} />
      ) : (
        <Line key={line.hs_code} candidate={line} heading={heading} />
      )}
      <p class="hint">
        {subheading !== null && [
          <a key="lines" href={surroundings.to(`/code/${subheading}`)}>
            {fill(s.allLines, { code: showCode(subheading) })}
          </a>,
          ' · ',
        ]}
        {s.honest} <a href={`/docs/classify?lang=${lang}`}>{s.howOften}</a>
      </p>
    </>
  )
}

function headingOf(surroundings: Surroundings, stage: Classified, line: Candidate | undefined, isLine: boolean): string {
  const s = proposalStrings[surroundings.lang]
  if (line !== undefined) return `${s.lineTitle} ${line.hs_code}`
  if (stage.status === 'unknown') return s.unknownTitle
  if (isLine) return s.chooseLine
  return stage.status === 'clear' ? s.clear : s.choose
}

interface ChoiceProps {
  title: string
  heading: string
  stage: Classified
  isLine: boolean
  way: (...codes: string[]) => string
}

function Choice({ title, heading, stage, isLine, way }: ChoiceProps) {
  const { lang } = useSurroundings()
  const s = proposalStrings[lang]
  const { status, candidates, question } = stage
  const isUnknown = status === 'unknown'
  // all lines of a subheading are shown
  const shown = isUnknown ? [] : isLine ? candidates : candidates.slice(0, 1)
  const rest = candidates.slice(shown.length)
  const text = isUnknown
    ? stage.missing === undefined
      ? s.unknownText
      : fill(s.missing, { fact: stage.missing[lang] })
    : status === 'clear' && !isLine
      ? s.clearText
      : isLine && candidates.length > 1
        ? s.chooseText
        : ''
  return (
    <div class="classify-result" data-status={status} data-state={isUnknown ? 'unknown' : undefined}>
      <h2>{heading}</h2>
      {text !== '' && <p class="hint">{text}</p>}
      <div class="proposed">
        {shown.length > 0 && <Candidates title={title} shown={shown} all={candidates} way={way} isLine={isLine} />}
        {question && <Question question={question} way={way} />}
      </div>
      {rest.length > 0 && (
        <Folded key={title} label={isUnknown ? s.guesses(rest.length) : s.others(rest.length)}>
          {() => (
            <>
              <p class="hint">{s.chooseText}</p>
              <Candidates title={title} shown={rest} all={candidates} way={way} isLine={isLine} />
            </>
          )}
        </Folded>
      )}
    </div>
  )
}

function Question({ question, way }: { question: ClassifyQuestion; way: ChoiceProps['way'] }) {
  const surroundings = useSurroundings()
  return (
    <div class="classify-question">
      <h3>{showWords(surroundings, question.text)}</h3>
      <p class="hint">{proposalStrings[surroundings.lang].askText}</p>
      <div class="answers">
        {question.answers.map(({ text, within }) => (
          <a key={within.join()} class="button button-strong" href={way(...within)}>
            {showWords(surroundings, text)}
          </a>
        ))}
      </div>
    </div>
  )
}

/** The content sends requests, so it is created only when the visitor opens it. */
function Folded({ label, children }: { label: string; children: () => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="classify-rest" onToggle={event => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>{label}</summary>
      {isOpen && children()}
    </details>
  )
}

/** The visitor's answers. A click on a step removes this step and all later steps. */
function Steps({ steps, stages, to }: Pick<StageProps, 'steps' | 'stages' | 'to'>) {
  const surroundings = useSurroundings()
  const s = proposalStrings[surroundings.lang]
  if (steps.length === 0) return null
  return (
    <ol class="classify-steps" aria-label={s.steps}>
      {steps.map((step, at) => (
        <li key={at}>
          <a class="chip" href={to(steps.slice(0, at))}>
            <span class="unseen">{s.takeBack}</span>
            <span>{showStep(surroundings, step, stages[at] as Classified)}</span>
            <Icon name="close" />
          </a>
        </li>
      ))}
    </ol>
  )
}

/** The answer or candidate that the visitor chose in a step. */
function showStep(surroundings: Surroundings, step: Step, { question, candidates }: Classified) {
  const answer = question?.answers.find(({ within }) => isSame(within, step))
  if (question && answer)
    return [showWords(surroundings, question.text), ' ', <b key="b">{showWords(surroundings, answer.text)}</b>]
  const candidate = candidates.find(({ hs_code }) => isSame([hs_code], step))
  if (candidate) return [showCode(candidate.hs_code), ' ', <b key="b">{showWords(surroundings, candidate.description)}</b>]
  const codes = step.map((one, at) => [at > 0 && ' ', showCode(one)])
  return fill(proposalStrings[surroundings.lang].within, { codes })
}

/** Shown when nothing is left to choose. */
function Line({ candidate, heading }: { candidate: Candidate; heading: string }) {
  const surroundings = useSurroundings()
  const { lang, other, to } = surroundings
  const s = proposalStrings[lang]
  const { hs_code, description, tariff_rate } = candidate
  const path = query(`hs-codes/${hs_code}`, { include: 'path,rate' })
  const record = useAnswer<Code>(path, (path, signal) => ask(path, { signal })).answer?.data
  return (
    <section class="classify-line" aria-label={heading}>
      <h2>{s.lineTitle}</h2>
      <p class="card-head">
        <a class="hit" href={to(`/code/${hs_code}`)}>
          {showCode(hs_code)}
        </a>
        <span class="card-rate">{showBadge(surroundings, record?.tariff_rate ?? tariff_rate, record?.rate)}</span>
      </p>
      <p class="card-words">{wordsIn(surroundings, description)}</p>
      {description[lang] !== '' && <p class="card-second">{showIn(other, description[other])}</p>}
      {record?.path && showPath(surroundings, withoutPadded(record.path))}
      <p class="hint">{s.lineText}</p>
      <div class="row">
        <a class="button button-strong" href={to(`/code/${hs_code}`)}>
          {s.openLine}
        </a>
        <CopyButton name="line" label={s.copyLine} text={hs_code} />
      </div>
    </section>
  )
}
