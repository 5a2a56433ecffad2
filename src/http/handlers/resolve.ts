import type { Catalog } from '../../catalog/catalog.js'
import { bytes, jsonBytesMax } from '../../engines/bytes.js'
import type { HttpRequest } from '../../engines/engine.js'
import { readQueryText } from '../../engines/request.js'
import { RESOLVE_BODY_MAX, RESOLVE_QUERY_MAX } from '../../limits.js'
import { invalidParameter, Refusal } from '../../questions/refusal.js'
import { type Resolved, Resolver, readEdition, refuseCodes } from '../../questions/resolve.js'
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../responses/body-writer.js'
import type { Responder } from '../../responses/respond.js'
import { textParameter } from '../parameters.js'
import { Query } from '../query.js'
import { RecordList } from '../record-list.js'

const INPUT = bytes('{"input":')
const STATUS = bytes(',"status":"')
const CODE = bytes('","hs_code":')
const DECLARABLE = bytes(',"declarable":')
const LINES = bytes(',"lines":')
const NEAREST = bytes(',"nearest":')
const CANDIDATES = bytes(',"candidates":')
const RECORD = bytes(',"record":')
const REASON = bytes(',"reason":')
const NULL = bytes('null')
const QUOTE = 34
/** Field names, numbers and a reason. */
const FIXED_BYTES = 512
const CODE_BYTES = 17
/** Refused as an unknown edition. */
const NO_EDITION = '?'

interface ResolveRequest {
  codes: readonly string[]
  edition: string
}

export class ResolveHandler {
  readonly #catalog: Catalog
  readonly #list: RecordList
  readonly #query = new Query(['codes', 'edition'])

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#list = new RecordList(catalog)
  }

  /** One per code; one for an invalid request. */
  charge(req: HttpRequest): number {
    const request = this.#readQuery(req)
    return request instanceof Refusal ? 1 : request.codes.length
  }

  chargeBody(body: unknown): number {
    const request = this.#parseBody(body)
    return request instanceof Refusal ? 1 : request.codes.length
  }

  handle(req: HttpRequest, out: Responder): void {
    this.#answer(this.#readQuery(req), out)
  }

  handleBody(body: unknown, out: Responder): void {
    this.#answer(this.#parseBody(body), out)
  }

  #readQuery(req: HttpRequest): ResolveRequest | Refusal {
    const query = this.#query.read(readQueryText(req))
    const list = textParameter(query, 'codes')
    if (list instanceof Refusal) return list
    const codes = list === '' ? [] : list.split(',')
    const edition = textParameter(query, 'edition')
    if (edition instanceof Refusal) return edition
    return refuseCodes(codes, RESOLVE_QUERY_MAX) ?? this.#requestFor(codes, edition)
  }

  #parseBody(body: unknown): ResolveRequest | Refusal {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return invalidParameter('body', 'must be an object with codes')
    const { codes, edition = '' } = body as { codes?: unknown; edition?: unknown }
    const isYear = typeof edition === 'string' || typeof edition === 'number'
    const refusal = refuseCodes(codes, RESOLVE_BODY_MAX)
    return refusal ?? this.#requestFor(codes as string[], isYear ? String(edition) : NO_EDITION)
  }

  #requestFor(codes: readonly string[], year: string): ResolveRequest | Refusal {
    const edition = readEdition(this.#catalog, year)
    return edition instanceof Refusal ? edition : { codes, edition }
  }

  #answer(request: ResolveRequest | Refusal, out: Responder): void {
    if (request instanceof Refusal) return out.refuse(request)
    const resolver = new Resolver(this.#catalog, request.edition)
    const answers = request.codes.map(code => resolver.resolve(code))
    this.#reserve(out, answers)
    out.openData().byte(OPEN_BRACKET)
    answers.forEach((answer, i) => {
      if (i > 0) out.byte(COMMA)
      this.#put(out, answer)
    })
    out.byte(CLOSE_BRACKET).endList(answers.length)
  }

  #reserve(out: Responder, answers: readonly Resolved[]): void {
    let bytes = 0
    for (const { input, candidates } of answers) bytes += FIXED_BYTES + jsonBytesMax(input) + candidates.length * CODE_BYTES
    this.#list.reserve(out, undefined, answers.length, bytes)
  }

  #put(out: Responder, { input, status, record, candidates, nearest, reason }: Resolved): void {
    const { level, lines } = this.#catalog
    out.put(INPUT).json(input).put(STATUS).ascii(status).put(CODE)
    this.#putCode(out, record)
    const isLine = record >= 0 && level[record] === lines.longest
    out.put(DECLARABLE).ascii(isLine ? 'true' : 'false')
    out.put(LINES).decimal(record < 0 ? 0 : lines.countBelow(record))
    out.put(NEAREST)
    this.#putCode(out, nearest)
    out.put(CANDIDATES).byte(OPEN_BRACKET)
    candidates.forEach((candidate, i) => {
      if (i > 0) out.byte(COMMA)
      this.#putCode(out, candidate)
    })
    out.byte(CLOSE_BRACKET).put(RECORD)
    if (record < 0) out.put(NULL)
    else this.#list.putRecord(out, record)
    if (reason !== undefined) out.put(REASON).json(reason)
    out.byte(CLOSE_BRACE)
  }

  #putCode(out: Responder, record: number): void {
    if (record < 0) return void out.put(NULL)
    const { records, level } = this.#catalog
    const start = records.codeStart(record)
    out
      .byte(QUOTE)
      .part(records.arena, start, start + level[record])
      .byte(QUOTE)
  }
}
