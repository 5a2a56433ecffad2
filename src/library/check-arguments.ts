/** Checks arguments at run time, for callers without TypeScript. */
import { ERRORS } from '../errors.js'
import { invalidParameter, Refusal, refuseUnknown } from '../questions/refusal.js'
import { CatalogError, type CatalogErrorCode } from './catalog-error.js'
import type { OptionNames } from './option-names.js'

function catalogError(refusal: Refusal): CatalogError {
  const { parameter, did_you_mean } = refusal.details ?? {}
  const code = ERRORS[refusal.name].code as CatalogErrorCode
  return new CatalogError(code, refusal.message, {
    ...(parameter !== undefined && { parameter }),
    ...(did_you_mean !== undefined && { did_you_mean }),
  })
}

/** Returns null for "not found"; throws any other refusal. */
export function answerOrNull<Answer>(answer: Answer | Refusal): Answer | null {
  if (!(answer instanceof Refusal)) return answer
  if (answer.name === 'notFound') return null
  throw catalogError(answer)
}

export function answerOrThrow<Answer>(answer: Answer | Refusal): Answer {
  if (answer instanceof Refusal) throw catalogError(answer)
  return answer
}

/** Refuses numbers, because they lose leading zeros. */
export function codeOf(code: unknown): string {
  if (typeof code === 'string') return code
  throw catalogError(new Refusal('invalidCode', `${ERRORS.invalidCode.message} It must be a string.`))
}

export function textOf(text: unknown, parameter: string): string {
  if (typeof text === 'string') return text
  throw parameterError(parameter, 'must be a string')
}

export function optionsOf<Options extends object>(options: Options | undefined, names: OptionNames<Options>): Options {
  if (options === undefined) return {} as Options
  if (typeof options !== 'object' || options === null) throw parameterError('options', 'must be an object')
  const unknown = refuseUnknown(options, Object.keys(names))
  if (unknown !== undefined) throw catalogError(unknown)
  return options
}

export function parameterError(parameter: string, rule: string): CatalogError {
  return catalogError(invalidParameter(parameter, rule))
}
