/** Answers that came with the document. */
import { rememberAnswer } from './api.js'
import { noteServerCountry } from './country.js'
import type { FirstAnswers } from './first-paths.js'

const carried = new WeakSet<object>()

export function carry({ serverCountry, answers }: FirstAnswers): void {
  noteServerCountry(serverCountry)
  for (const [path, answer] of Object.entries(answers)) {
    rememberAnswer(path, answer)
    if (typeof answer.data === 'object' && answer.data !== null) carried.add(answer.data)
  }
}

/** Whether the server rendered the document from this answer. */
export const isCarried = (data: object) => carried.has(data)
