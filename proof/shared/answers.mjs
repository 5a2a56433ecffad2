/** Parses answers from the bytes of a connection. */

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) /
/** Our response heads are much shorter; longer ones are treated as invalid. */
const HEAD_BYTES_MAX = 16_384

function readHead(text) {
  const [line, ...rest] = text.split('\r\n')
  const headers = new Map()
  for (const one of rest) {
    const colon = one.indexOf(':')
    headers.set(one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim())
  }
  return { status: Number(STATUS_LINE.exec(`${line} `)?.[1] ?? Number.NaN), headers }
}

export class AnswerReader {
  #rest = Buffer.alloc(0)
  #head
  #count = 0
  #methodOf
  #onAnswer
  /** Set if the bytes are not a valid answer. */
  problem

  /**
   * @param {(number: number) => string | undefined} methodOf method of the request that an answer belongs to; undefined if
   *   unknown, because the bytes sent were not HTTP
   * @param {(answer: {status: number, headers: Map<string, string>, body: Buffer}, number: number) => void} onAnswer
   */
  constructor(methodOf, onAnswer) {
    this.#methodOf = methodOf
    this.#onAnswer = onAnswer
  }

  /** Complete answers so far. */
  get count() {
    return this.#count
  }

  /** Whether no partial answer is waiting for more bytes. */
  get isBetween() {
    return this.#head === undefined && this.#rest.length === 0
  }

  take(chunk) {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.problem === undefined && this.#step());
  }

  /** The connection ended: a body without a length ends here. */
  end() {
    if (this.#head === undefined || this.#head.headers.has('content-length')) return
    this.#answer(this.#rest.length)
  }

  #step() {
    if (this.#head === undefined) return this.#takeHead()
    const { headers, status } = this.#head
    const length = headers.get('content-length')
    if (status < 200 || status === 204 || status === 304) return this.#answer(0)
    if (length === undefined) return false
    const method = this.#methodOf(this.#count)
    if (method === 'HEAD') return this.#answer(0)
    // an unknown request may have been a HEAD: then another answer, or nothing, follows the head
    if (method === undefined && Number(length) > 0) {
      if (this.#rest.length === 0) return false
      if (this.#rest[0] === 0x48) return this.#answer(0)
    }
    return this.#rest.length >= Number(length) && this.#answer(Number(length))
  }

  #takeHead() {
    const end = this.#rest.indexOf(END_OF_HEAD)
    if (end < 0) {
      if (this.#rest.length > HEAD_BYTES_MAX) this.problem = 'bytes came that are not the head of an answer'
      return false
    }
    this.#head = readHead(this.#rest.toString('latin1', 0, end))
    this.#rest = this.#rest.subarray(end + END_OF_HEAD.length)
    if (Number.isNaN(this.#head.status)) this.problem = 'bytes came that are not a status line'
    return true
  }

  #answer(length) {
    const { status, headers } = this.#head
    const body = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    this.#head = undefined
    // an interim status is not the final answer
    if (status >= 100 && status < 200) return this.#rest.length > 0
    this.#onAnswer({ status, headers, body }, this.#count++)
    return this.#rest.length > 0
  }
}
