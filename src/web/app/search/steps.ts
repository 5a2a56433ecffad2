/**
 * The visitor's answers to questions about a title, as steps. The address has them in `within`: dots separate steps, commas
 * separate the codes of a step. Each step narrows the previous one; the last step is sent with the request.
 */
import type { Classification, Classified } from '../../../answers/shapes.js'
import { SUBHEADING_DIGITS, sharedSubheading } from '../../../codes/levels.js'
import type { Answer } from '../data/answer.js'
import { ask } from '../data/api.js'
import { query } from '../data/query.js'

const STEPS_MAX = 8
/** Limit of the API for `within`. */
const CODES_MAX = 20
const CODE = /^\d{2,12}$/
const LINE_DIGITS = 12
const SUBHEADINGS_MAX = 6
/** Limit of the API for candidates. */
const LINES_MAX = 20
const TEXT_MAX = 500

export type Step = readonly string[]

export function readSteps(within: string): Step[] {
  const steps = within.split('.').map(step => step.split(',').filter(one => CODE.test(one)))
  return steps
    .filter(step => step.length > 0)
    .map(step => step.slice(0, CODES_MAX))
    .slice(0, STEPS_MAX)
}

export const writeSteps = (steps: readonly Step[]) => steps.map(step => step.join(',')).join('.')

/** The subheading that all codes of a step share, if any; the next request then asks for lines. */
export const subheadingOf = (step: Step | undefined) => sharedSubheading(step ?? [])

export function classifyPath(text: string, step: Step | undefined): string {
  const isLine = subheadingOf(step) !== null
  return query('classify', {
    text: [...text].slice(0, TEXT_MAX).join(''),
    within: step?.join(','),
    level: isLine ? LINE_DIGITS : SUBHEADING_DIGITS,
    limit: isLine ? LINES_MAX : SUBHEADINGS_MAX,
  })
}

/** The API's answers before the first step and after each step. All but the last are usually cached. */
export async function askStages(text: string, steps: readonly Step[], signal: AbortSignal): Promise<Answer<Classified[]>> {
  const paths = [undefined, ...steps].map(step => classifyPath(text, step))
  const answers = await Promise.all(paths.map(path => ask<Classification>(path, { signal })))
  const stages: Classified[] = []
  for (const answer of answers) {
    if (answer.kind !== 'ok') return answer
    stages.push(answer.data.items[0] as Classified)
  }
  return { kind: 'ok', data: stages, meta: { total: stages.length, count: stages.length }, text: '' }
}

export const isSame = (a: Step, b: Step) => a.join() === b.join()
