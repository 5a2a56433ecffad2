/** The contract, written once: served at /openapi.json, and what the tests hold every response against. */
import { ERRORS, type ErrorName } from '../errors.js'
import {
  CHILDREN_LIMIT_DEFAULT,
  CODE_DIGITS_MAX,
  CODE_DIGITS_MIN,
  CURRENCY_DEFAULT,
  LANGUAGES,
  LEVELS,
  PAGE_LIMIT_MAX,
  PARENT_DIGITS_MAX,
  QUERY_CHARS_MAX,
  QUERY_CHARS_MIN,
  SEARCH_LIMIT_DEFAULT,
  SUGGEST_CHARS_MAX,
  SUGGEST_CHARS_MIN,
  SUGGEST_LIMIT_DEFAULT,
  SUGGEST_LIMIT_MAX,
  VALUE_MAX,
  VALUE_MIN,
} from '../limits.js'
import { bytes } from './bytes.js'
import { API_VERSION } from './respond.js'

type Json = Record<string, unknown>

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function object(properties: Record<string, Json>, optional: string[] = []): Json {
  const required = Object.keys(properties).filter(name => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

const codePattern = (digitsMax: number) => `^[0-9]{${CODE_DIGITS_MIN},${digitsMax}}$`

const string: Json = { type: 'string' }
const boolean: Json = { type: 'boolean' }
const number: Json = { type: 'number' }
const count: Json = { type: 'integer', minimum: 0 }

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

const envelope = (data: Json, meta: string): Json =>
  object({ success: { const: true }, data, meta: ref(meta) })

const schemas: Record<string, Json> = {
  Meta: object({
    timestamp: { type: 'string', format: 'date-time', pattern: '\\+00:00$' },
    api_version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
  }),
  PageMeta: object({
    total: count,
    limit: { type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX },
    offset: count,
    count: { type: 'integer', minimum: 0, maximum: PAGE_LIMIT_MAX },
    timestamp: { type: 'string', format: 'date-time', pattern: '\\+00:00$' },
    api_version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
  }),
  ListMeta: object({
    count: { type: 'integer', minimum: 0, maximum: SUGGEST_LIMIT_MAX },
    timestamp: { type: 'string', format: 'date-time', pattern: '\\+00:00$' },
    api_version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
  }),
  Description: object({ en: string, ar: string }),
  Record: object({
    hs_code: { type: 'string', pattern: codePattern(CODE_DIGITS_MAX) },
    description: ref('Description'),
    level: {
      type: 'integer',
      minimum: CODE_DIGITS_MIN,
      maximum: CODE_DIGITS_MAX,
      description: 'Number of digits',
    },
    parent_id: {
      type: ['integer', 'null'],
      description: "A 1 followed by the parent's digits; null without a parent",
    },
    tariff_rate: { type: 'number', minimum: 0, description: 'Import duty in percent' },
    is_active: boolean,
  }),
  SearchItem: object({
    hs_code: { type: 'string', pattern: codePattern(CODE_DIGITS_MAX) },
    description: ref('Description'),
    tariff_rate: { type: 'number', minimum: 0 },
  }),
  Suggestion: {
    ...object({
      text: { type: 'string', minLength: 1, maxLength: SUGGEST_CHARS_MAX, description: 'The completion' },
      lang: { enum: LANGUAGES },
      hs_code: {
        type: 'string',
        pattern: codePattern(CODE_DIGITS_MAX),
        description: 'The code that is best known by this text',
      },
      description: ref('Description'),
    }),
    examples: [
      {
        text: 'laptops',
        lang: 'en',
        hs_code: '847130',
        description: {
          en: 'Portable computers up to 10 kg with processor, keyboard and display (laptops, tablets)',
          ar: 'أجهزة حاسب محمولة لا يتجاوز وزنها 10 كجم بمعالج ولوحة مفاتيح وشاشة (لابتوب وتابلت)',
        },
      },
    ],
  },
  Health: object({
    status: { enum: ['ok', 'starting'] },
    service: string,
    foundation_schema_ready: boolean,
    api_version: string,
  }),
  Tariff: object({
    hs_code: { type: 'string', pattern: codePattern(CODE_DIGITS_MAX) },
    product: string,
    calculation: object({
      declared_value: { type: 'number', minimum: Number(VALUE_MIN) },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      import_duty_rate: number,
      import_duty_amount: number,
      vat_rate: number,
      vat_amount: number,
      total_duties_taxes: number,
      landed_cost: number,
    }),
    notes: {
      type: 'string',
      description:
        'That rates are indicative; whether the code is inactive; and, where the lines below it carry different rates, their range',
    },
  }),
  HealthResponse: envelope(ref('Health'), 'Meta'),
  RecordResponse: envelope(ref('Record'), 'Meta'),
  ChildrenResponse: envelope({ type: 'array', maxItems: PAGE_LIMIT_MAX, items: ref('Record') }, 'PageMeta'),
  SearchResponse: envelope({ type: 'array', maxItems: PAGE_LIMIT_MAX, items: ref('SearchItem') }, 'PageMeta'),
  SuggestResponse: envelope(
    { type: 'array', maxItems: SUGGEST_LIMIT_MAX, items: ref('Suggestion') },
    'ListMeta',
  ),
  TariffResponse: envelope(ref('Tariff'), 'Meta'),
  ErrorResponse: object({
    success: { const: false },
    error: object(
      {
        code: { enum: Object.values(ERRORS).map(error => error.code) },
        message: string,
        details: object({ parameter: string, nearest: string }, ['parameter', 'nearest']),
      },
      ['details'],
    ),
    meta: ref('Meta'),
  }),
}

const json = (schema: Json): Json => ({ 'application/json': { schema } })

/** Refusals grouped by status: a status lists the codes it may carry. */
function refusals(names: ErrorName[]): Json {
  const byStatus: Record<string, Json> = {}
  for (const name of names) {
    const { status, code } = ERRORS[name]
    const extra = status === 429 || status === 503 ? RETRY_AFTER : status === 405 ? ALLOW : {}
    const before = byStatus[status]?.description as string | undefined
    byStatus[status] = {
      description: before === undefined ? code : `${before}, ${code}`,
      headers: { ...RATE_LIMIT_HEADERS, ...extra },
      content: json(ref('ErrorResponse')),
    }
  }
  return byStatus
}

const KEYED: ErrorName[] = [
  'missingApiKey',
  'invalidApiKey',
  'apiKeyExpired',
  'rateLimitExceeded',
  'dbUnavailable',
]
const EVERYWHERE: ErrorName[] = ['methodNotAllowed', 'internalError']

interface Operation {
  id: string
  summary: string
  parameters?: Json[]
  schema: Json
  errors: ErrorName[]
  open?: boolean
}

function operation({ id, summary, parameters = [], schema, errors, open = false }: Operation): Json {
  return {
    get: {
      operationId: id,
      summary,
      parameters,
      ...(open ? { security: [] } : {}),
      responses: {
        200: { description: 'Success', headers: RATE_LIMIT_HEADERS, content: json(schema) },
        ...refusals([...errors, ...(open ? [] : KEYED), ...EVERYWHERE]),
      },
    },
  }
}

const query = (name: string, schema: Json, description: string, required = false): Json => ({
  name,
  in: 'query',
  required,
  description,
  schema,
})

const pathCode = (digitsMax: number): Json => ({
  name: 'code',
  in: 'path',
  required: true,
  description: `The code's digits, ${CODE_DIGITS_MIN} to ${digitsMax}`,
  schema: { type: 'string', pattern: codePattern(digitsMax) },
})

const limit = (fallback: number, maximum = PAGE_LIMIT_MAX, description = 'Page size'): Json =>
  query('limit', { type: 'integer', minimum: 1, maximum, default: fallback }, description)
const offset = query('offset', { type: 'integer', minimum: 0, default: 0 }, 'Where the page starts')

export const OPENAPI: Json = {
  openapi: '3.1.0',
  info: {
    title: 'hsapi',
    version: API_VERSION,
    summary: 'HS code lookup, bilingual search and duty estimates',
    description:
      'Rates are indicative only and must be verified with the customs authority for an official assessment. ' +
      'Every path also answers HEAD; other methods get 405.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ apiKey: [] }, { marketplaceKey: [] }, { bearer: [] }],
  paths: {
    '/api/v1/health': operation({
      id: 'health',
      summary: 'Whether the service is up and its dataset loaded',
      schema: ref('HealthResponse'),
      errors: [],
      open: true,
    }),
    '/api/v1/hs-codes/{code}': operation({
      id: 'lookup',
      summary: 'One record by its code',
      parameters: [pathCode(CODE_DIGITS_MAX)],
      schema: ref('RecordResponse'),
      errors: ['invalidCode', 'notFound'],
    }),
    '/api/v1/hs-codes/{code}/children': operation({
      id: 'children',
      summary: 'The codes one level below, ascending',
      parameters: [pathCode(PARENT_DIGITS_MAX), limit(CHILDREN_LIMIT_DEFAULT), offset],
      schema: ref('ChildrenResponse'),
      errors: ['invalidCode', 'invalidParameter', 'notFound'],
    }),
    '/api/v1/search': operation({
      id: 'search',
      summary: 'Records by English or Arabic words, or by the first digits of a code',
      parameters: [
        query(
          'q',
          { type: 'string', minLength: QUERY_CHARS_MIN, maxLength: QUERY_CHARS_MAX },
          'What to look for',
          true,
        ),
        query('level', { type: 'integer', enum: LEVELS }, 'Only codes of this many digits'),
        limit(SEARCH_LIMIT_DEFAULT),
        offset,
      ],
      schema: ref('SearchResponse'),
      errors: ['queryTooShort', 'invalidParameter'],
    }),
    '/api/v1/suggest': operation({
      id: 'suggest',
      summary: 'Completions of what is being typed, the best known goods first, each with its code',
      parameters: [
        query(
          'q',
          { type: 'string', minLength: SUGGEST_CHARS_MIN, maxLength: SUGGEST_CHARS_MAX },
          'What was typed so far, English or Arabic',
          true,
        ),
        limit(SUGGEST_LIMIT_DEFAULT, SUGGEST_LIMIT_MAX, 'How many at most'),
        query('lang', { enum: LANGUAGES }, 'The language of the completions; as typed where absent'),
      ],
      schema: ref('SuggestResponse'),
      errors: ['queryTooShort', 'invalidParameter'],
    }),
    '/api/v1/tariff/calculate': operation({
      id: 'tariff',
      summary: 'Import duty, optional VAT and landed cost for a declared value',
      parameters: [
        query(
          'hs_code',
          { type: 'string', pattern: codePattern(CODE_DIGITS_MAX) },
          `The code, ${CODE_DIGITS_MIN} to ${CODE_DIGITS_MAX} digits`,
          true,
        ),
        query(
          'value',
          { type: 'number', minimum: Number(VALUE_MIN), maximum: Number(VALUE_MAX) },
          'Declared value, CIF',
          true,
        ),
        query(
          'currency',
          { type: 'string', pattern: '^[A-Za-z]{3}$', default: CURRENCY_DEFAULT },
          'A label, not converted',
        ),
        query('include_vat', { enum: ['1', 'true', '0', 'false'], default: '0' }, 'Whether to add VAT'),
      ],
      schema: ref('TariffResponse'),
      errors: ['invalidCode', 'invalidValue', 'invalidParameter', 'notFound'],
    }),
    '/openapi.json': operation({
      id: 'openapi',
      summary: 'This document',
      schema: { type: 'object' },
      errors: [],
      open: true,
    }),
  },
  components: {
    schemas,
    responses: {
      RouteNotFound: refusals(['routeNotFound'])['404'],
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      marketplaceKey: { type: 'apiKey', in: 'header', name: 'X-Marketplace-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
}

export const OPENAPI_BYTES = bytes(JSON.stringify(OPENAPI))
