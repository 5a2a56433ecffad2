/** Checks every answer that a test receives against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { OPENAPI } from '../../src/contract/openapi.js'

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON whose shape the contract checks
type Json = any

export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Json
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema(OPENAPI, 'openapi')
const validators = new Map<string, ValidateFunction>()

export function validate(pointer: string, value: unknown, subject: string): void {
  let check = validators.get(pointer)
  if (check === undefined) {
    check = ajv.compile({ $ref: `openapi#${pointer}` })
    validators.set(pointer, check)
  }
  if (!check(value)) throw new Error(`${subject} breaks the contract: ${ajv.errorsText(check.errors)}\n${JSON.stringify(value)}`)
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

function documentedPath(path: string): string | undefined {
  const bare = path.split('?')[0] as string
  return Object.keys(OPENAPI.paths as object).find(template =>
    new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(bare),
  )
}

/** Returns the operation that documents the response. For an unsupported method, this is another method of the path. */
function documentedMethod(template: string, method: string): string {
  const operations = (OPENAPI.paths as Json)[template]
  return method === 'POST' && operations.post !== undefined ? 'post' : 'get'
}

export function validateAnswer(method: string, path: string, answer: Answer): void {
  const template = documentedPath(path)
  const pointer =
    template === undefined
      ? '/x-unknown-path'
      : `/paths/${escaped(template)}/${documentedMethod(template, method)}/responses/${answer.status}`
  const documented = pointer
    .slice(1)
    .split('/')
    .reduce((at: Json, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], OPENAPI)
  if (documented === undefined) throw new Error(`${method} ${path} answered ${answer.status}, which is not documented`)
  const [type = null] = Object.keys(documented.content ?? {})
  if (answer.headers.get('content-type') !== type) {
    throw new Error(`${path} has the content type ${answer.headers.get('content-type')}`)
  }
  for (const [name, { schema }] of Object.entries(documented.headers as Record<string, { schema: Json }>)) {
    const text = answer.headers.get(name)
    if (text === null) throw new Error(`${method} ${path} (${answer.status}) lacks the header ${name}`)
    const value = schema.type === 'integer' ? (/^\d+$/.test(text) ? Number(text) : text) : text
    validate(`${pointer}/headers/${escaped(name)}/schema`, value, `header ${name} of ${path}`)
  }
  if (method === 'HEAD' || type === null) {
    if (answer.text !== '') throw new Error(`${method} ${path} (${answer.status}) has a body`)
    return
  }
  validate(`${pointer}/content/${escaped(type)}/schema`, answer.body, `the body of ${path}`)
}
