/** How the contract writes an operation: its parameters, its success, and every refusal it may give. */
import { ERRORS, type ErrorName } from '../errors.js'
import { CODE_DIGITS_MIN, INCLUDES, PAGE_LIMIT_MAX } from '../limits.js'
import { EXAMPLE_ANSWERS } from './example-answers.js'
import { ANSWERED, type AnswerName, type ExampleRequest, REFUSED, type RefusalName } from './example-requests.js'
import { codePattern, count, type Json, ref, string } from './schema.js'

const RATE_LIMIT_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit-Minute', 'Requests allowed in a minute'],
    ['X-RateLimit-Remaining-Minute', 'Requests left in the running minute'],
    ['X-RateLimit-Limit-Day', 'Requests allowed in a UTC day'],
    ['X-RateLimit-Remaining-Day', 'Requests left today (UTC)'],
  ].map(([name, description]) => [name, { description, required: true, schema: count }]),
)

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Whole seconds to wait before the next try',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
}

const ALLOW = { Allow: { description: 'The methods this path answers', required: true, schema: string } }

const CACHING = {
  'Cache-Control': {
    description: 'Answers may be kept by their caller alone, and must be asked for again',
    required: true,
    schema: { const: 'private, no-cache' },
  },
}

const TAG_HEADERS = {
  ETag: {
    description: 'Names the snapshot and the program that answered; the same for every path',
    required: true,
    schema: { type: 'string', pattern: '^W/"[0-9a-f]{16}-[^"]+"$' },
  },
  ...CACHING,
}

/** What refusals carry besides the limits. */
const REFUSAL_HEADERS: Partial<Record<ErrorName, Json>> = {
  rateLimitExceeded: RETRY_AFTER,
  notFound: CACHING,
  methodNotAllowed: ALLOW,
  dbUnavailable: RETRY_AFTER,
}

const json = (schema: Json, examples: Json): Json => ({ 'application/json': { schema, examples } })

const shownExamples: Json = Object.fromEntries(
  Object.entries<ExampleRequest>({ ...ANSWERED, ...REFUSED }).map(([name, { summary }]) => [
    name,
    { summary, value: JSON.parse(EXAMPLE_ANSWERS[name] ?? 'null') },
  ]),
)

/** Nothing that linters follow leads to this one, so that it stands where it is used. */
const INLINE: RefusalName = 'routeNotFound'

/** Written once, referred to wherever such an answer is given. */
export const examples: Json = Object.fromEntries(Object.entries(shownExamples).filter(([name]) => name !== INLINE))

const referred = (names: readonly string[]): Json =>
  Object.fromEntries(names.map(name => [name, name === INLINE ? shownExamples[name] : { $ref: `#/components/examples/${name}` }]))

const refusalsOf = (error: ErrorName): RefusalName[] =>
  (Object.keys(REFUSED) as RefusalName[]).filter(name => REFUSED[name].error === error)

/** Refusals grouped by status: a status lists the codes it may carry. */
export function refusals(names: ErrorName[]): Json {
  const byStatus: Record<string, Json> = {}
  const shown: Record<string, RefusalName[]> = {}
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
    description: 'The caller has this answer already; counted as any other',
    headers: { ...RATE_LIMIT_HEADERS, ...TAG_HEADERS },
  },
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Tags of answers that the caller has; 304 where one of them is in force',
  schema: string,
}

interface Operation {
  id: string
  tag: string
  summary: string
  description?: string
  parameters?: Json[]
  schema: Json
  /** Answers that show what it gives. */
  examples: readonly AnswerName[]
  errors: ErrorName[]
}

function common({ id, tag, summary, description }: Operation): Json {
  return { operationId: id, tags: [tag], summary, description: description ?? `${summary}.` }
}

/** Needs no key. */
export function open(operation: Operation): Json {
  return {
    get: {
      ...common(operation),
      security: [],
      responses: {
        200: {
          description: 'Success',
          headers: RATE_LIMIT_HEADERS,
          content: json(operation.schema, referred(operation.examples)),
        },
        ...refusals([...operation.errors, ...EVERYWHERE]),
      },
    },
  }
}

export function get(operation: Operation): Json {
  const { parameters = [], schema, examples, errors } = operation
  return {
    get: {
      ...common(operation),
      parameters: [...parameters, IF_NONE_MATCH],
      responses: {
        200: {
          description: 'Success',
          headers: { ...RATE_LIMIT_HEADERS, ...TAG_HEADERS },
          content: json(schema, referred(examples)),
        },
        ...NOT_MODIFIED,
        ...refusals([...errors, ...KEYED, ...EVERYWHERE]),
      },
    },
  }
}

/** What the examples were sent. */
function bodies(names: readonly AnswerName[]): Json {
  const requests: Record<string, ExampleRequest> = ANSWERED
  return Object.fromEntries(names.map(name => [name, { summary: requests[name]?.summary, value: requests[name]?.body }]))
}

export function post(operation: Operation & { body: Json }): Json {
  const { schema, examples, errors, body } = operation
  return {
    post: {
      ...common(operation),
      requestBody: { required: true, content: json(body, bodies(examples)) },
      responses: {
        200: {
          description: 'Success',
          headers: RATE_LIMIT_HEADERS,
          content: json(schema, referred(examples)),
        },
        ...refusals([...new Set([...errors, ...WITH_BODY]), ...KEYED, ...EVERYWHERE]),
      },
    },
  }
}

export const query = (
  name: string,
  schema: Json,
  description: string,
  required = false,
  example?: string | number | string[] | { english: string; arabic: string },
): Json => ({
  name,
  in: 'query',
  required,
  description,
  schema,
  ...exampleOf(example),
})

/** One, or one in each language. */
function exampleOf(example: unknown): Json {
  if (example === undefined) return {}
  if (typeof example !== 'object' || Array.isArray(example)) return { example }
  const named = Object.entries(example as Json).map(([name, value]) => [name, { value }])
  return { examples: Object.fromEntries(named) }
}

export const pathCode = (digitsMax: number, example: string): Json => ({
  name: 'code',
  in: 'path',
  required: true,
  description: `The code's digits, ${CODE_DIGITS_MIN} to ${digitsMax}`,
  schema: { type: 'string', pattern: codePattern(digitsMax) },
  example,
})

export const limit = (fallback: number, maximum = PAGE_LIMIT_MAX, description = 'Page size'): Json =>
  query('limit', { type: 'integer', minimum: 1, maximum, default: fallback }, description)

export const offset = query('offset', { type: 'integer', minimum: 0, default: 0 }, 'Where the page starts')

export const include: Json = {
  ...query(
    'include',
    { type: 'array', items: { enum: INCLUDES } },
    'Further fields at the end of each record, separated by commas',
    false,
    ['path'],
  ),
  style: 'form',
  explode: false,
}
