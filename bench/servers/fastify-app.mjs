/**
 * Lookup and search on Fastify with a key check, @fastify/rate-limit and response schemas, as its documentation advises. The
 * caller passes in the catalog. Bodies are those of hsapi.
 */
import { createRequire } from 'node:module'

/** Unlike an import, this also searches NODE_PATH, so that the peers need not be installed here. */
export const require = createRequire(import.meta.url)

const PER_MINUTE = 4_000_000_000
const API_VERSION = '1.0.0'

const text = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const object = properties => ({ type: 'object', properties })
const description = object({ en: text, ar: text })
const record = object({
  hs_code: text,
  description,
  level: integer,
  parent_id: { type: ['integer', 'null'] },
  tariff_rate: number,
  is_active: { type: 'boolean' },
})
const item = object({ hs_code: text, description, tariff_rate: number })
const page = { total: integer, limit: integer, offset: integer, count: integer }
const envelope = (data, meta = {}) =>
  object({
    success: { type: 'boolean' },
    data,
    meta: object({ ...meta, timestamp: text, api_version: text }),
  })

const meta = () => ({ timestamp: `${new Date().toISOString().slice(0, 19)}+00:00`, api_version: API_VERSION })
const failure = (code, message) => ({ success: false, error: { code, message }, meta: meta() })

/**
 * @param {{lookup(code: string): object | undefined,
 *   search(q: string, limit: number, offset: number): {total: number, items: object[]}}} catalog
 */
export async function serveFastify({ lookup, search }) {
  const keys = new Set([process.env.BENCH_KEY])
  const app = require('fastify')()
  app.addHook('onRequest', (request, reply, done) => {
    if (keys.has(request.headers['x-api-key'])) done()
    else reply.code(401).send(failure('invalid_api_key', 'The API key is not known.'))
  })
  await app.register(require('@fastify/rate-limit'), {
    max: PER_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: request => request.headers['x-api-key'],
  })
  app.get(
    '/api/v1/hs-codes/:code',
    {
      schema: {
        params: object({ code: { type: 'string', pattern: '^[0-9]{2,14}$' } }),
        response: { 200: envelope(record) },
      },
    },
    (request, reply) => {
      const found = lookup(request.params.code)
      if (found === undefined) return reply.code(404).send(failure('not_found', 'There is no such code.'))
      return reply.send({ success: true, data: found, meta: meta() })
    },
  )
  app.get(
    '/api/v1/search',
    {
      schema: {
        querystring: {
          type: 'object',
          required: ['q'],
          properties: {
            q: { type: 'string', minLength: 2, maxLength: 200 },
            limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
            offset: { type: 'integer', minimum: 0, default: 0 },
          },
        },
        response: { 200: envelope({ type: 'array', items: item }, page) },
      },
    },
    (request, reply) => {
      const { q, limit, offset } = request.query
      const { total, items } = search(q, limit, offset)
      return reply.send({
        success: true,
        data: items,
        meta: { total, limit, offset, count: items.length, ...meta() },
      })
    },
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  console.log(`ready on http://127.0.0.1:${app.server.address().port}`)
}
