/**
 * Single requests of three kinds. A `valid` request has a known answer. An `odd` request is correct HTTP with strange contents
 * and must be answered in order, according to the contract. A `broken` request may be anything; after it, nothing is known
 * about the connection.
 */
import { repeatedText } from '../shared/repeats.mjs'
import { oddMessage, validCall } from './messages.mjs'

const VALID_DIGITS = '0123456789'
const ODD_TEXT = 'azAZ09-._~!$\'()*,;:@/?=&%+#"<>[]{}|\\^`'
const BYTES_ODD = ['%00', '%ff', '%2f', '%c3%28', '%', '%4', '%zz', '%25', '%2500', '%ed%a0%80', '%f4%90%80%80', '%0d%0a']
const ARABIC = ['لحم', 'هاتف', 'مبرد', 'أَ', 'ـــ', '٨٥٢٣', 'ة', '\u200f']
const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']
const HEADER_BYTES_MAX = 3_000
/** More than either engine accepts. */
const HUGE_BYTES = 70_000
/** Lengths: the limits of search, classify and suggest, and more characters than any code has. */
const SEARCH_CHARS_MAX = 200
const CLASSIFY_CHARS_MAX = 500
const SUGGEST_CHARS_MAX = 60
const CODE_CHARS_MAX = 40
const BODY_CHARS_MAX = 20_000

export class RequestMaker {
  #random
  #stock
  #isNode

  /**
   * @param {import('../shared/random.mjs').Random} random
   * @param {{codes: string[], phrases: string[], keys: Record<string, string>, engine: string}} stock
   */
  constructor(random, stock) {
    this.#random = random
    this.#stock = stock
    // the node engine accepts only ASCII in a request line
    this.#isNode = stock.engine === 'node'
  }

  #bytes({ method = 'GET', target, headers = [], body = '', version = 'HTTP/1.1' }) {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return Buffer.from(`${method} ${target} ${version}\r\nHost: x\r\n${lines}\r\n${body}`)
  }

  #keyHeaders(key) {
    const r = this.#random
    const name = r.pick(['X-Api-Key', 'x-api-key', 'X-Marketplace-Key', 'Authorization'])
    return [[name, name === 'Authorization' ? `${r.pick(['Bearer', 'bearer', 'BEARER'])} ${key}` : key]]
  }

  /** A request that follows the documentation. */
  #question() {
    const r = this.#random
    const { codes } = this.#stock
    const code = r.pick(codes)
    switch (r.between(0, 18)) {
      case 0:
        return { path: '/api/v1/health', query: '', status: 200, isOpen: true }
      case 1:
        return { path: r.pick(['/openapi.json', '/changes.atom']), query: '', status: 200, isOpen: true }
      case 2: {
        const limit = r.between(1, 50)
        return {
          path: `/api/v1/hs-codes/${code.slice(0, 12)}/children`,
          query: `limit=${limit}`,
          status: 200,
          isRight: ({ meta }) => meta.limit === limit && meta.offset === 0,
        }
      }
      case 3: {
        const offset = r.between(0, 100)
        return {
          path: '/api/v1/search',
          query: `q=${encodeURIComponent(this.#searchText(SEARCH_CHARS_MAX))}&offset=${offset}${r.pick(['', '&facets=chapter,level,rate', '&fields=hs_code', '&rate=5'])}`,
          status: 200,
          isRight: ({ meta }) => meta.limit === 20 && meta.offset === offset,
        }
      }
      case 4: {
        const value = r.between(1, 1_000_000)
        return {
          path: '/api/v1/tariff/calculate',
          query: `hs_code=${code}&value=${value}&include_vat=1`,
          status: 200,
          isRight: ({ data }) => data.hs_code === code && data.calculation.declared_value === value,
        }
      }
      case 6: {
        const digits = r.pick([8, 12])
        return {
          path: `/api/v1/hs-codes/${code}/lines`,
          query: `digits=${digits}&include=${r.pick(['path', 'path,editions,rate', 'unit,controls', ''])}`,
          status: 200,
          isRight: ({ data }) => data.every(({ hs_code }) => hs_code.length === digits && hs_code.startsWith(code)),
        }
      }
      case 7: {
        const codes = Array.from({ length: r.between(1, 50) }, () => this.#writtenCode())
        return {
          path: '/api/v1/resolve',
          query: `codes=${encodeURIComponent(codes.join())}&edition=${r.pick(['', '2022', '2017', '2012'])}`,
          // a parameter without a value is ignored
          status: codes.join() === '' ? 400 : 200,
          isRight: ({ data }) => data.map(({ input }) => input).join() === codes.join(),
        }
      }
      case 8: {
        const codes = Array.from({ length: r.between(1, 200) }, () => this.#writtenCode())
        return {
          path: '/api/v1/resolve',
          query: '',
          body: JSON.stringify({ codes }),
          status: 200,
          isRight: ({ data }) => data.map(({ input }) => input).join() === codes.join(),
        }
      }
      case 9: {
        const items = Array.from({ length: r.between(1, 30) }, () => ({
          hs_code: this.#writtenCode(),
          value: r.between(0, 1_000_000) / 100,
        }))
        return {
          path: '/api/v1/tariff/calculate',
          query: '',
          body: JSON.stringify({ items, include_vat: r.chance(0.5), vat_rate: r.between(0, 100) }),
          status: 200,
          isRight: ({ data }) => data.items.map(({ hs_code }) => hs_code).join() === items.map(({ hs_code }) => hs_code).join(),
        }
      }
      case 10:
        return {
          path: `/api/v1/${r.pick(['chapters', 'dataset', 'changes', 'notes/rules', 'notes/85'])}`,
          query: '',
          status: 200,
        }
      case 11:
        return {
          path: '/api/v1/suggest',
          query: `q=${encodeURIComponent(this.#partialQuery())}`,
          status: 200,
        }
      case 12:
        return {
          path: `/api/v1/hs-codes/${code}`,
          query: `include=${r.pick(['path', 'rate', 'editions', 'rate,path,editions'])}`,
          status: 200,
          isRight: ({ data }) => data.hs_code === code,
        }
      case 13: {
        const text = this.#searchText(CLASSIFY_CHARS_MAX)
        const within = r.chance(0.5) ? code.slice(0, 2) : ''
        return {
          path: '/api/v1/classify',
          query: `text=${encodeURIComponent(text)}&within=${within}&level=${r.pick([4, 6, 8, 12])}&limit=${r.between(1, 20)}`,
          status: 200,
          isRight: ({ data }) =>
            data.items[0].text === text && data.items[0].candidates.every(({ hs_code }) => hs_code.startsWith(within)),
        }
      }
      case 14: {
        const items = Array.from({ length: r.chance(0.5) ? 1 : r.between(2, 100) }, () => ({
          text: this.#searchText(CLASSIFY_CHARS_MAX),
          ...(r.chance(0.3) && { hs_code: r.pick(codes) }),
        }))
        return {
          path: '/api/v1/classify',
          query: '',
          body: JSON.stringify({ items, limit: r.between(1, 20) }),
          status: 200,
          // this answer takes longer, and uWebSockets.js closes the connection if more arrives before it
          isLast: items.length > 1,
          isRight: ({ data }) =>
            JSON.stringify(data.items.map(({ text }) => text)) === JSON.stringify(items.map(({ text }) => text)),
        }
      }
      case 15: {
        const { body, isRight } = validCall(r, this.#stock)
        return { path: '/mcp', query: '', body, status: 200, isLast: true, isRight }
      }
      case 16: {
        const queries = Array.from({ length: r.chance(0.5) ? 1 : r.between(2, 20) }, () => ({
          q: this.#searchText(SEARCH_CHARS_MAX),
          ...(r.chance(0.3) && { level: r.pick([4, 6, 8, 12]), within: code.slice(0, 2) }),
        }))
        return {
          path: '/api/v1/search',
          query: '',
          body: JSON.stringify({ queries, facets: r.pick([[], ['chapter']]) }),
          status: 200,
          isLast: queries.length > 1,
          isRight: ({ data }) => JSON.stringify(data.map(({ q }) => q)) === JSON.stringify(queries.map(({ q }) => q)),
        }
      }
      case 5:
        return { path: `/nowhere/${r.text(VALID_DIGITS, 5)}`, query: '', status: 404, isOpen: true }
      default:
        return {
          path: `/api/v1/hs-codes/${code}`,
          query: '',
          status: 200,
          isRight: ({ data }) => data.hs_code === code,
        }
    }
  }

  /** A search text: a typed phrase, or a repeated text. */
  #searchText(charsMax) {
    const r = this.#random
    const text = r.chance(0.2) ? repeatedText(r, charsMax) : ''
    return text.trim().length < 2 ? r.pick(this.#stock.phrases) : text
  }

  /** The start of a phrase, as the suggestion box sends it. */
  #partialQuery() {
    const r = this.#random
    const text = this.#searchText(SUGGEST_CHARS_MAX)
    return text.slice(0, r.chance(0.2) ? SUGGEST_CHARS_MAX : r.between(1, 12)).trim() || 'a'
  }

  /** A code as people write it. */
  #writtenCode() {
    const r = this.#random
    const code = r.pick(this.#stock.codes)
    return r.pick([
      () => code,
      () => `${code.slice(0, 4)}.${code.slice(4)}`,
      () => code.replace(/^0/, ''),
      () => `${code}.0`,
      () => r.text(VALID_DIGITS, r.between(1, 16)),
      () => r.pick(ARABIC),
      () => r.text('abc .-\'"', r.between(0, 9)),
      () => repeatedText(r, CODE_CHARS_MAX).replaceAll(',', '.'),
    ])()
  }

  valid() {
    const r = this.#random
    const { path, query, status, isRight, body, isOpen = false, isLast = false } = this.#question()
    const method = body !== undefined ? 'POST' : r.chance(0.15) ? 'HEAD' : 'GET'
    const posted =
      body === undefined
        ? []
        : [
            ['Content-Type', 'application/json'],
            ['Content-Length', String(Buffer.byteLength(body))],
          ]
    const kind = r.chance(0.85) ? 'ample' : r.pick(['spent', 'revoked', 'expired', 'unknown'])
    const refused = { ample: [], spent: [429], revoked: [401], expired: [401], unknown: [401] }[kind]
    // each key may have only a few of these in progress
    const crowded = isLast ? [503] : []
    const statuses = isOpen ? [status] : kind === 'ample' || kind === 'spent' ? [status, ...crowded, ...refused] : refused
    return {
      kind: 'valid',
      method,
      path,
      statuses,
      isRight,
      isLast,
      bytes: this.#bytes({
        method,
        target: query === '' ? path : `${path}?${query}`,
        headers: [...this.#keyHeaders(this.#stock.keys[kind]), ...posted],
        body,
      }),
    }
  }

  #oddPiece(length) {
    const r = this.#random
    let text = ''
    while (text.length < length) {
      const draw = r.between(0, 9)
      if (draw < 3) text += r.pick(BYTES_ODD)
      else if (draw < 5) {
        const word = r.pick(ARABIC)
        text += this.#isNode || r.chance(0.5) ? encodeURIComponent(word) : word
      } else text += r.text(ODD_TEXT, r.between(1, 8))
    }
    // a space or a fragment would change the request line
    return text.replaceAll('#', '%23')
  }

  #oddPath() {
    const r = this.#random
    const { codes } = this.#stock
    const piece = this.#oddPiece(r.chance(0.05) ? r.between(200, 1_000) : r.between(1, 20)).replaceAll('?', '%3f')
    return r.pick([
      () => `/api/v1/hs-codes/${piece}`,
      () => `/api/v1/hs-codes/${r.pick(codes)}${piece}`,
      () => `/api/v1/hs-codes/${r.text(VALID_DIGITS, r.between(0, 20))}`,
      () => `/api/v1/hs-codes/${piece}/children`,
      () => `/api/v1/hs-codes/${r.pick(codes)}/children/`,
      () => `/api/v1/hs-codes/`,
      () => `/api/v1/hs-codes/${piece}/lines`,
      () =>
        `/api/v1/editions/${r.pick(['2017', '2012', '2007', '2002', '1996', '2028', '2022', piece])}/${r.pick([piece, r.text(VALID_DIGITS, 6)])}`,
      () => `/api/v1/resolve`,
      () => `/api/v1/classify`,
      () => `/api/v1/suggest`,
      () => `/api/v1/changes`,
      () => `/api/v1/notes/${piece}`,
      () => `/api/v1/search/`,
      () => `/api/v1/search`,
      () => `/api/v1/tariff/calculate`,
      () => `/api/v1//health`,
      () => `/${piece}`,
      () => '/',
      () => `/code/${piece}`,
      () => `/browse/${piece}`,
      () => `/assets/${piece}`,
      () => r.pick(['/docs', '/check', '/browse', '/classify', '/invoice', '/compare', '/explorer.json']),
    ])()
  }

  #oddQuery() {
    const r = this.#random
    const names = [
      'q',
      'level',
      'limit',
      'offset',
      'hs_code',
      'value',
      'currency',
      'include_vat',
      'vat_rate',
      'include',
      'facets',
      'fields',
      'rate',
      'within',
      'digits',
      'codes',
      'text',
      'edition',
      'since',
      'lang',
      '',
      'x',
      '%71',
    ]
    const values = [
      () => '',
      () => this.#oddPiece(r.between(1, 40)),
      () => String(r.between(-10, 1_000)),
      () => r.pick(['1e3', '-1', '0.1', '1e400', '99999999999999999999', '0x10', 'NaN', '١٢', 'true', 'null', '[]', '+5']),
      () => r.pick(this.#stock.codes),
      () => r.pick(this.#stock.phrases),
      () => r.text('abcdefgh ', r.between(190, 230)),
      () => encodeURIComponent(repeatedText(r, r.between(20, 230))),
    ]
    const parameters = Array.from({ length: r.between(0, 8) }, () => {
      const value = r.pick(values)()
      const isAscii = /^[\x21-\x7e]*$/.test(value)
      const sent = isAscii || (!this.#isNode && r.chance(0.5)) ? value : encodeURIComponent(value)
      return r.chance(0.1) ? r.pick(names) : `${r.pick(names)}=${sent.replaceAll(' ', '+')}`
    })
    return parameters.join(r.pick(['&', '&', '&', '&&', ';'])).replaceAll('#', '%23')
  }

  #oddHeaders() {
    const r = this.#random
    const { keys } = this.#stock
    const some = Object.values(keys)
    const strange = () =>
      r.pick([
        () => '',
        () => r.pick(some).slice(0, r.between(0, 50)),
        () => r.pick(some) + r.text(VALID_DIGITS, r.between(1, 40)),
        () => r.text(ODD_TEXT, r.between(1, r.chance(0.1) ? HEADER_BYTES_MAX : 80)),
        () => `${r.pick(some)},${r.pick(some)}`,
        () => `Basic ${r.text('abcdefABCDEF0123', 20)}`,
        () => r.pick(['__proto__', 'constructor', 'toString', 'null']),
        () => r.pick(some),
      ])()
    const headers = Array.from({ length: r.between(0, 3) }, () => [
      r.pick(['X-Api-Key', 'X-Marketplace-Key', 'Authorization', 'x-API-key']),
      strange(),
    ])
    if (r.chance(0.6)) headers.push(...this.#keyHeaders(keys.ample))
    for (let more = r.chance(0.1) ? r.between(1, 20) : 0; more > 0; more--)
      headers.push([`X-${r.text('abcdef', 6)}`, r.text(ODD_TEXT, r.between(0, 30))])
    if (r.chance(0.3))
      headers.push([
        'X-Forwarded-For',
        r.pick(['', ',', '::1', '::ffff:1.2.3.4', '1.2.3', '10.0.0.1, 127.0.0.1', '256.1.1.1', 'unknown', '1.1.1.1,'.repeat(50)]),
      ])
    if (r.chance(0.1)) headers.push(['If-None-Match', '*'], ['Range', 'bytes=0-1'], ['Accept-Encoding', 'gzip'])
    return headers.slice(0, 24)
  }

  /** Valid HTTP with an odd message of the Model Context Protocol. */
  #oddCall() {
    const r = this.#random
    const body = oddMessage(r, this.#stock)
    const headers = [...(r.chance(0.8) ? this.#keyHeaders(this.#stock.keys.ample) : []), ...this.#protocolHeaders()]
    headers.push(['Content-Type', 'application/json'], ['Content-Length', String(Buffer.byteLength(body))])
    return {
      kind: 'odd',
      method: 'POST',
      path: '/mcp',
      statuses: undefined,
      isLast: true,
      bytes: this.#bytes({ method: 'POST', target: '/mcp', headers, body }),
    }
  }

  #protocolHeaders() {
    const r = this.#random
    const headers = []
    if (r.chance(0.3)) headers.push(['MCP-Protocol-Version', r.pick(['2025-06-18', '2026-07-28', '1999-01-01', '', '\u00ff'])])
    if (r.chance(0.2)) headers.push(['Mcp-Session-Id', r.text(ODD_TEXT, r.between(1, 60))])
    if (r.chance(0.2)) headers.push(['Mcp-Method', r.pick(['tools/call', 'ping', 'x'])], ['Mcp-Name', r.text(ODD_TEXT, 9)])
    if (r.chance(0.1)) headers.push(['Origin', r.pick(['null', 'https://evil.example', 'http://x'])])
    if (r.chance(0.3)) headers.push(['Accept', r.pick(['*/*', 'text/event-stream', 'application/json', ''])])
    return headers
  }

  odd() {
    const r = this.#random
    if (r.chance(0.06)) return this.#oddCall()
    const { path, query } = this.#question()
    const shownPath = r.chance(0.5) ? this.#oddPath() : path
    const shownQuery = r.chance(0.6) ? this.#oddQuery() : query
    const method = r.chance(0.8) ? r.pick(['GET', 'GET', 'HEAD']) : r.pick(METHODS)
    const headers = this.#oddHeaders()
    let body = ''
    let isChunked = false
    if (!['HEAD', 'TRACE'].includes(method) && r.chance(method === 'GET' ? 0.05 : 0.7)) {
      const text = r.pick([
        '{}',
        '[',
        '{"a":1}',
        '{"codes":["85","8.5E+3"]}',
        '{"items":[{"hs_code":"85","value":1}]}',
        '{"codes":[1]}',
        '{"items":[{"text":"tea","within":["0902"]}]}',
        JSON.stringify({ items: [{ text: repeatedText(r, CLASSIFY_CHARS_MAX) }] }),
        JSON.stringify({ codes: [repeatedText(r, BODY_CHARS_MAX)] }),
        r.text(ODD_TEXT, r.between(1, 500)),
      ])
      isChunked = r.chance(0.3)
      headers.push(isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(Buffer.byteLength(text))])
      if (r.chance(0.5)) headers.push(['Content-Type', r.pick(['application/json', 'text/plain', ''])])
      body = isChunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n` : text
    }
    return {
      kind: 'odd',
      method,
      path: undefined,
      statuses: undefined,
      /** No further answer follows on this connection. */
      isLast: isChunked,
      bytes: this.#bytes({
        method,
        target: shownQuery === '' ? shownPath : `${shownPath}?${shownQuery}`,
        headers,
        body,
      }),
    }
  }

  broken() {
    const r = this.#random
    const bytes = r.chance(0.5) ? this.#damaged() : this.#foreign()
    return { kind: 'broken', method: undefined, path: undefined, statuses: undefined, bytes }
  }

  /** A valid request with some bytes changed. */
  #damaged() {
    const r = this.#random
    let bytes = Buffer.from(r.chance(0.5) ? this.valid().bytes : this.odd().bytes)
    for (let times = r.between(1, 6); times > 0 && bytes.length > 0; times--) {
      const at = r.between(0, bytes.length - 1)
      const to = Math.min(bytes.length, at + r.between(1, 20))
      switch (r.between(0, 4)) {
        case 0:
          bytes[at] ^= 1 << r.between(0, 7)
          break
        case 1:
          bytes[at] = r.pick([0, 10, 13, 32, 58, 127, 128, 255])
          break
        case 2:
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)])
          break
        case 3:
          bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)])
          break
        default:
          bytes = Buffer.concat([bytes.subarray(0, at), this.#noise(r.between(1, 12)), bytes.subarray(at)])
      }
    }
    return bytes
  }

  #noise(length) {
    return Buffer.from(Array.from({ length }, () => this.#random.between(0, 255)))
  }

  #foreign() {
    const r = this.#random
    const target = '/api/v1/health'
    const raw = text => Buffer.from(text, 'latin1')
    const key = ['X-Api-Key', this.#stock.keys.ample]
    return r.pick([
      () => this.#noise(r.between(1, 400)),
      () => raw('\r\n'.repeat(r.between(1, 20))),
      () =>
        this.#bytes({
          target,
          version: r.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.10', 'HTTP', 'http/1.1', 'HTTP/1.1 ']),
        }),
      () => raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      () => Buffer.concat([raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'), this.#noise(100)]),
      () => raw(`GET ${target}\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\nHost: x\n\n`),
      () => raw(`GET  ${target}  HTTP/1.1\r\n\r\n`),
      () =>
        this.#bytes({
          method: r.pick(['BREW', 'get', 'CONNECT', '', 'G\tET', 'GET\0', 'X'.repeat(300)]),
          target,
        }),
      () =>
        this.#bytes({
          target: r.pick([
            '*',
            'x',
            'http://example.org/api/v1/health',
            '//',
            'http://',
            '/a b',
            '/\0',
            '?',
            '/../../etc/passwd',
            '\\',
          ]),
        }),
      () => this.#bytes({ target, headers: [['X-Huge', 'x'.repeat(r.pick([5_000, 17_000, HUGE_BYTES]))]] }),
      () => this.#bytes({ target: `/${'x'.repeat(r.pick([5_000, 17_000, HUGE_BYTES]))}` }),
      () =>
        this.#bytes({
          target,
          headers: Array.from({ length: r.between(60, 400) }, (_, i) => [`X-${i}`, 'x']),
        }),
      () =>
        this.#bytes({
          target,
          headers: [['Content-Length', r.pick(['-1', '99999999999999999999', '1e3', '0x5', '', ' ', '5, 5', '+1', '٥'])]],
        }),
      () =>
        this.#bytes({
          target,
          headers: [
            ['Content-Length', '3'],
            ['Transfer-Encoding', 'chunked'],
          ],
          body: '0\r\n\r\n',
        }),
      () =>
        this.#bytes({
          target,
          headers: [
            ['Content-Length', '3'],
            ['Content-Length', '4'],
          ],
          body: 'abcd',
        }),
      () =>
        this.#bytes({
          target,
          headers: [['Transfer-Encoding', r.pick(['chunked, gzip', 'gzip', 'Chunked ', 'x'])]],
          body: '3\r\nabc\r\n0\r\n\r\n',
        }),
      () =>
        this.#bytes({
          method: 'POST',
          target,
          headers: [key, ['Transfer-Encoding', 'chunked']],
          body: r.pick(['zz\r\n', 'ffffffffffffffffff\r\na', '3;x=y\r\nabc\r\n0\r\nT: x\r\n\r\n', '-1\r\n\r\n', '3\r\nabcd\r\n']),
        }),
      () => this.#bytes({ method: 'POST', target, headers: [key, ['Content-Length', '1000']], body: 'short' }),
      () => this.#bytes({ target, headers: [['Expect', r.pick(['100-continue', 'x'])]] }),
      () =>
        this.#bytes({
          target,
          headers: [
            ['Upgrade', 'websocket'],
            ['Connection', 'Upgrade'],
            ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
            ['Sec-WebSocket-Version', '13'],
          ],
        }),
      () => this.#bytes({ target, headers: [['Connection', r.pick(['close', 'keep-alive, close', 'x', ''])]] }),
      () => raw(`GET ${target} HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\r\nno colon here\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\r\n: empty\r\nHost : x\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Null: a\0b\r\n\r\n`),
      () => raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-Bare: a\rb\r\n\r\n`),
    ])()
  }
}
