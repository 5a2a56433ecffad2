import type { HttpRequest } from '../engines/engine.js'
import { decodeIfValid, readPathCode } from '../engines/request.js'
import { Refusal } from '../questions/refusal.js'

/** Decodes a code only if it is invalid as sent, because digits are rarely percent-encoded. */
export function askByPathCode<Answer>(req: HttpRequest, ask: (code: string) => Answer | Refusal): Answer | Refusal {
  const code = readPathCode(req)
  const answer = ask(code)
  return answer instanceof Refusal && answer.name === 'invalidCode' ? ask(decodeIfValid(code)) : answer
}
