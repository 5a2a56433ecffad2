/** Builds the contract's operations: parameters, success and every possible refusal. */
import { ERRORS, type ErrorName } from '../errors.js'
import { CODE_DIGITS_MIN, LANGUAGES, PAGE_LIMIT_MAX, SHORT_CHARS_DEFAULT, SHORT_CHARS_MAX, SHORT_CHARS_MIN } from '../limits.js'
import { EXAMPLE_ANSWERS } from './example-answers.js'
import { ANSWERED, type AnswerName, type ExampleRequest, REFUSED, type RefusedRequest } from './example-requests.js'
import { codePattern, count, integer, type Json, patterned, ref, string } from './schema-parts.js'

const header = (description: string, schema: Json): Json => ({ description, required: true, schema })

const RATE_LIMIT_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit-Minute', 'Requests allowed in a minute'],
    ['X-RateLimit-Remaining-Minute', 'Requests left in the current minute'],
    ['X-RateLimit-Limit-Day', 'Requests allowed in a UTC day'],
    ['X-RateLimit-Remaining-Day', 'Requests left today (UTC)'],
  ].map(([name, description]) => [name, header(description, count)]),
)

const RETRY_AFTER = { 'Retry-After': header('Whole seconds to wait before retrying', { type: 'integer', minimum: 1 }) }

const ALLOW = { Allow: header('The methods this path supports', string) }

const CACHING = {
  'Cache-Control': header('Responses may be cached by the caller only and must be revalidated', {
    type: 'string',
    const: 'private, no-cache',
  }),
}

const TAG_HEADERS = {
  ETag: header(
    'Identifies the snapshot, the program version and the default country; the same for every path',
    patterned('^W/"[0-9a-f]{16}-[^"]+"$'),
  ),
  ...CACHING,
}

/** Headers that a refusal has in addition to the rate limit headers. */
const REFUSAL_HEADERS: Partial<Record<ErrorName, Json>> = {
  rateLimitExceeded: RETRY_AFTER,
  notFound: CACHING,
  methodNotAllowed: ALLOW,
  dbUnavailable: RETRY_AFTER,
  busy: RETRY_AFTER,
}

const json = (schema: Json, examples: Json, type = 'application/json'): Json => ({ [type]: { schema, examples } })

const shownExamples: Json = Object.fromEntries(
  Object.entries<ExampleRequest>({ ...ANSWERED, ...REFUSED }).map(([name, { summary }]) => [
    name,
    { summary, value: JSON.parse(EXAMPLE_ANSWERS[name] ?? 'null') },
  ]),
)

/** Linters do not follow references from x-unknown-path, so this example is inline. */
const INLINE: keyof typeof REFUSED = 'routeNotFound'

export const examples: Json = Object.fromEntries(Object.entries(shownExamples).filter(([name]) => name !== INLINE))

const referred = (names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, name === INLINE ? shownExamples[name] : { $ref: `#/components/examples/${name}` }]))

const refusalsOf = (error: ErrorName): string[] =>
  Object.entries<RefusedRequest>(REFUSED).flatMap(([name, request]) => ((request.error ?? name) === error ? [name] : []))

/** Responses by status, each listing its error codes. */
export function refusals(names: ErrorName[]): Json {
  const byStatus: Record<string, Json> = {}
  const shown: Record<string, string[]> = {}
  for (const name of names) {
    const { status, code } = ERRORS[name]
    shown[status] = [...(shown[status] ?? []), ...refusalsOf(name)]
    const before = byStatus[status]?.description as string | undefined
    byStatus[status] = {
      description: before === undefined ? code : `${before}, ${code}`,
      headers: { ...RATE_LIMIT_HEADERS, ...REFUSAL_HEADERS[name] },
      content: json(ref('ErrorResponse'), referred(shown[status])),
    }
  }
  return byStatus
}

const KEYED: ErrorName[] = ['missingApiKey', 'invalidApiKey', 'apiKeyExpired', 'rateLimitExceeded', 'dbUnavailable']
const EVERYWHERE: ErrorName[] = ['methodNotAllowed', 'internalError']
const WITH_BODY: ErrorName[] = ['invalidParameter', 'bodyTooLarge', 'unsupportedMediaType']

const NOT_MODIFIED = {
  304: {
    description: 'The caller already has this response; the request counts towards the limits',
    headers: { ...RATE_LIMIT_HEADERS, ...TAG_HEADERS },
  },
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Entity tags that the caller has; 304 if one of them is current',
  schema: string,
}

interface Operation {
  id: string
  tag: string
  summary: string
  description?: string
  parameters?: Json[]
  schema: Json
  examples: readonly AnswerName[]
  /** Refusals that not every operation of this kind has. */
  errors?: ErrorName[]
}

function common({ id, tag, summary, description }: Operation): Json {
  return { operationId: id, tags: [tag], summary, description: description ?? `${summary}.` }
}

function success({ schema, examples }: Operation, headers: Json): Json {
  return { 200: { description: 'Success', headers, content: json(schema, referred(examples)) } }
}

export function open(operation: Operation): Json {
  return {
    get: {
      ...common(operation),
      security: [],
      responses: { ...success(operation, RATE_LIMIT_HEADERS), ...refusals(EVERYWHERE) },
    },
  }
}

export function get(operation: Operation): Json {
  const { parameters = [], errors = [] } = operation
  return {
    get: {
      ...common(operation),
      parameters: [...parameters, IF_NONE_MATCH],
      responses: {
        ...success(operation, { ...RATE_LIMIT_HEADERS, ...TAG_HEADERS }),
        ...NOT_MODIFIED,
        ...refusals([...errors, ...KEYED, ...EVERYWHERE]),
      },
    },
  }
}

const LANG: Json = {
  name: 'lang',
  in: 'query',
  required: false,
  description: 'The language; by default chosen from Accept-Language',
  schema: { type: 'string', enum: LANGUAGES },
}

const DOCUMENT_HEADERS = {
  ETag: header('Identifies the document, its language and its encoding', patterned('^"[0-9a-f]{16}[^"]*"$')),
  'Cache-Control': header('How long the document may be cached', string),
}

/** A document about the dataset in another format, which needs no key. */
export function publicDocument(operation: Operation & { type: string }): Json {
  const headers = { ...RATE_LIMIT_HEADERS, ...DOCUMENT_HEADERS }
  const { schema, examples, type } = operation
  return {
    get: {
      ...common(operation),
      security: [],
      parameters: [LANG, IF_NONE_MATCH],
      responses: {
        200: { description: 'Success', headers, content: json(schema, referred(examples), type) },
        304: { description: 'The caller already has this document', headers },
        ...refusals(['dbUnavailable', ...EVERYWHERE]),
      },
    },
  }
}

function bodies(names: readonly AnswerName[]): Json {
  const requests: Record<string, ExampleRequest> = ANSWERED
  return Object.fromEntries(names.map(name => [name, { summary: requests[name]?.summary, value: requests[name]?.body }]))
}

export function post(operation: Operation & { body: Json }): Json {
  const { examples, body } = operation
  return {
    post: {
      ...common(operation),
      requestBody: { required: true, content: json(body, bodies(examples)) },
      responses: {
        ...success(operation, RATE_LIMIT_HEADERS),
        ...refusals([...WITH_BODY, ...KEYED, 'busy', ...EVERYWHERE]),
      },
    },
  }
}

type Example = string | number | string[] | { english: string; arabic: string }

export function query(name: string, schema: Json, description: string, example?: Example, required = false): Json {
  return { name, in: 'query', required, description, schema, ...exampleOf(example) }
}

export function required(name: string, schema: Json, description: string, example: Example): Json {
  return query(name, schema, description, example, true)
}

/** `example` is one value, or one value for each language. */
function exampleOf(example: unknown): Json {
  if (example === undefined) return {}
  if (typeof example !== 'object' || Array.isArray(example)) return { example }
  const named = Object.entries(example as Json).map(([name, value]) => [name, { value }])
  return { examples: Object.fromEntries(named) }
}

export function inPath(name: string, schema: Json, description: string, example: string): Json {
  return { name, in: 'path', required: true, description, schema, example }
}

export const pathCode = (digitsMax: number, example: string): Json =>
  inPath('code', patterned(codePattern(digitsMax)), `The code's digits, ${CODE_DIGITS_MIN} to ${digitsMax}`, example)

export const limit = (fallback: number, maximum = PAGE_LIMIT_MAX, description = 'Page size'): Json =>
  query('limit', { ...integer(1, maximum), default: fallback }, description)

export const offset = query('offset', { ...count, default: 0 }, 'Number of results before the page')

const INCLUDE = 'Additional fields at the end of each record, separated by commas'

/** A parameter whose value is a list, separated by commas. */
export const names = (name: string, schema: Json, description: string, example: string[]): Json => ({
  ...query(name, schema, description, example),
  style: 'form',
  explode: false,
})

export const SHORT_MAX = query(
  'short_max',
  { ...integer(SHORT_CHARS_MIN, SHORT_CHARS_MAX), default: SHORT_CHARS_DEFAULT },
  'Maximum length of the short description that include=short adds, in characters',
)

export const include = (allowed: readonly string[]): Json =>
  names('include', { type: 'array', items: { type: 'string', enum: allowed } }, INCLUDE, ['path'])
