/** /keys and /usage: the functions of the `hsapi keys` commands, and usage figures, as JSON for the page and for programs. */
import type { IncomingMessage } from 'node:http'
import { ADMIN_ERRORS, type ApiError, ERRORS, OperatorError } from '../errors.js'
import { type KeyOptions, KeyRefusal } from '../keys/key-record.js'
import type { KeyStatus, KeyView } from '../keys/key-view.js'
import { type Fault, isFault, type KeyQuery, readKeyOptions, readKeyQuery, readRevocation, readRotation } from './key-fields.js'
import { type Access, operatorRefusal } from './operators.js'
import { BODY_BYTES_MAX, readText } from './read-text.js'

/** A value is null if it is unknown or not counted. */
export interface KeyUse {
  used_today: number | null
  used_this_minute: number | null
  /** A UTC day such as 2026-05-04. */
  last_used_on: string | null
}

export type ListedKey = KeyView & KeyUse & { status: KeyStatus }

/** A created or rotated key, with the secret, which is shown only once. */
export type NewKey = KeyView & { key: string }

/** Rejects with a `KeyRefusal`, or with an `OperatorError` if the store is not available. */
export interface KeyAdministration {
  list(query: KeyQuery): Promise<{ keys: ListedKey[]; total: number }>
  show(id: string): Promise<ListedKey>
  /** `address`: the operator's address, for the log of changes. */
  create(options: KeyOptions, address: string): Promise<NewKey>
  /** The old secret keeps working for `graceMs`. */
  rotate(id: string, graceMs: number, address: string): Promise<NewKey>
  revoke(id: string, address: string): Promise<KeyView>
}

export interface OperatorTarget {
  keys: KeyAdministration
  usage(): Promise<object>
}

export interface JsonAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: object
}

type Reply = Promise<JsonAnswer> | JsonAnswer

const succeed = (data: object, meta?: object, status = 200): JsonAnswer => ({
  status,
  headers: {},
  body: { success: true, data, ...(meta && { meta }) },
})

function refuse({ status, code, message }: ApiError, details?: object, headers = {}): JsonAnswer {
  const error = { code, message, ...(details && { details }) }
  return { status, headers, body: { success: false, error } }
}

function refuseFault({ parameter, message }: Fault): JsonAnswer {
  return refuse({ ...ERRORS.invalidParameter, message }, { parameter })
}

function refuseMethod(allow: string): JsonAnswer {
  return refuse({ ...ERRORS.methodNotAllowed, message: `This path answers ${allow} only.` }, undefined, { Allow: allow })
}

const KEY_REFUSALS: Readonly<Record<KeyRefusal['reason'], ApiError>> = {
  unknown: ADMIN_ERRORS.keyNotFound,
  revoked: ADMIN_ERRORS.keyRevoked,
  many: ADMIN_ERRORS.tooManyKeys,
}

const PATH = /^\/keys(?:\/([^/]{1,600})(?:\/(rotate|revoke))?)?$/

export const isOperatorPath = (path: string) => path === '/usage' || path === '/keys' || path.startsWith('/keys/')

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

export class OperatorApi {
  constructor(
    /** Returns undefined until the server has started. */
    private readonly target: () => OperatorTarget | undefined,
    private readonly access: Access,
    private readonly now: () => number = Date.now,
  ) {}

  /** `path` must be one that `isOperatorPath` accepts. */
  async answer(path: string, request: IncomingMessage): Promise<JsonAnswer> {
    const refusal = operatorRefusal(request, this.access)
    if (refusal !== undefined)
      return refuse(refusal, undefined, refusal.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : undefined)
    const target = this.target()
    if (target === undefined) return refuse(ERRORS.dbUnavailable)
    try {
      return await this.#route(target, path, request)
    } catch (error) {
      if (error instanceof KeyRefusal) return refuse(KEY_REFUSALS[error.reason], { reason: error.message })
      if (error instanceof OperatorError) return refuse(ADMIN_ERRORS.keysUnavailable, { reason: error.message })
      throw error
    }
  }

  #route({ keys, usage }: OperatorTarget, path: string, request: IncomingMessage): Reply {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPost = request.method === 'POST'
    const address = request.socket.remoteAddress ?? ''
    if (path === '/usage') return isRead ? usage().then(data => succeed(data)) : refuseMethod('GET, HEAD')
    const [found, part, action] = PATH.exec(path) ?? []
    const id = part === undefined ? undefined : decoded(part)
    if (found === undefined || (part !== undefined && id === undefined)) return refuse(ERRORS.routeNotFound)
    if (id === undefined) {
      if (isPost) return this.#withBody(request, body => this.#create(keys, body, address))
      return isRead ? this.#list(keys, request) : refuseMethod('GET, HEAD, POST')
    }
    if (action === undefined) return isRead ? keys.show(id).then(key => succeed(key)) : refuseMethod('GET, HEAD')
    if (!isPost) return refuseMethod('POST')
    return this.#withBody(request, body =>
      action === 'rotate' ? this.#rotate(keys, id, body, address) : this.#revoke(keys, id, body, address),
    )
  }

  async #list(keys: KeyAdministration, request: IncomingMessage): Promise<JsonAnswer> {
    const query = readKeyQuery(new URLSearchParams((request.url ?? '').split('?')[1] ?? ''))
    if (isFault(query)) return refuseFault(query)
    const { keys: listed, total } = await keys.list(query)
    return succeed(listed, { total, count: listed.length, offset: query.offset, limit: query.limit })
  }

  async #create(keys: KeyAdministration, body: Record<string, unknown>, address: string): Promise<JsonAnswer> {
    const options = readKeyOptions(body, this.now())
    return isFault(options) ? refuseFault(options) : succeed(await keys.create(options, address), undefined, 201)
  }

  async #rotate(keys: KeyAdministration, id: string, body: Record<string, unknown>, address: string): Promise<JsonAnswer> {
    const graceMs = readRotation(body)
    return typeof graceMs === 'object' ? refuseFault(graceMs) : succeed(await keys.rotate(id, graceMs, address))
  }

  async #revoke(keys: KeyAdministration, id: string, body: Record<string, unknown>, address: string): Promise<JsonAnswer> {
    const fault = readRevocation(body)
    return fault ? refuseFault(fault) : succeed(await keys.revoke(id, address))
  }

  /** Accepts only JSON, which a form on another site cannot send. */
  async #withBody(request: IncomingMessage, work: (body: Record<string, unknown>) => Promise<JsonAnswer>): Promise<JsonAnswer> {
    const text = await readText(request)
    if (text === undefined) return refuse({ ...ERRORS.bodyTooLarge, message: `A body may have at most ${BODY_BYTES_MAX} bytes.` })
    if (!/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')) return refuse(ERRORS.unsupportedMediaType)
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return refuse({ ...ERRORS.invalidParameter, message: 'The body must be a JSON object.' })
    return work(body as Record<string, unknown>)
  }
}
