import type { HttpRequest } from '../engines/engine.js'
import { decodePathCode, readPathCode } from '../engines/request.js'
import { Refusal } from '../questions/refusal.js'

/** Asks by the path's code and, where that is no code as sent, once more by what it was encoded from. */
export function askByPathCode<Answer>(req: HttpRequest, ask: (code: string) => Answer | Refusal): Answer | Refusal {
  const code = readPathCode(req)
  const answer = ask(code)
  return answer instanceof Refusal && answer.name === 'invalidCode' ? ask(decodePathCode(code)) : answer
}
