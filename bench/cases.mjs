/** The requests to measure and their expected answers. A case is verified before it is timed. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

export const LOOKUP_CODE = '852321000000'
const TARIFF_CODE = '852321'
const VALUE = '1234.56'
const QUERY = 'electric motors'
const ABSENT_CODE = '852399'
/** A well-formed key that is in no key file. */
const UNKNOWN_KEY = 'hs_pro_00000000000000000000000000000000_000000'
/** Codes as they appear in spreadsheets: plain, with dots, and without the leading zero. */
const MANY_CODES = Array.from({ length: 100 }, (_, n) => ['852321000000', '8523.21', '10121'][n % 3])
const LIMIT_HEADERS = ['limit-minute', 'remaining-minute', 'limit-day', 'remaining-day']

/** The expected record of an HS code, computed from the dataset independently of the server. */
function expectedRecord(dataset, code) {
  const rows = parse(readFileSync(join(dataset, 'chapters', `${code.slice(0, 2)}.csv`), 'utf8'), {
    columns: true,
    bom: true,
  })
  const family = rows.filter(row => code.startsWith(row.hs_code)).sort((a, b) => a.hs_code.length - b.hs_code.length)
  const nearest = family.at(-1)
  return {
    description: { en: nearest.description_en, ar: nearest.description_ar },
    rate: Number(family.findLast(row => row.tariff_rate !== '').tariff_rate),
    active: nearest.is_active !== 'false',
  }
}

function checkLookup(body, { dataset }) {
  const { description, rate, active } = expectedRecord(dataset, LOOKUP_CODE)
  const { parent_id, ...data } = body.data
  assert.deepEqual(data, {
    hs_code: LOOKUP_CODE,
    description,
    level: LOOKUP_CODE.length,
    tariff_rate: rate,
    is_active: active,
  })
  assert.ok(LOOKUP_CODE.startsWith(String(parent_id).slice(1)), `the parent is ${parent_id}`)
}

function checkChildren(body) {
  assert.equal(body.data.length, 50)
  assert.equal(body.meta.count, 50)
  const codes = body.data.map(({ hs_code }) => hs_code)
  assert.deepEqual(codes, [...new Set(codes)].sort())
  for (const code of codes) assert.match(code, /^84\d\d$/)
}

function checkLines(body) {
  assert.equal(body.data.length, 50)
  const codes = body.data.map(({ hs_code }) => hs_code)
  assert.deepEqual(codes, [...new Set(codes)].sort())
  for (const code of codes) assert.match(code, /^84\d{10}$/)
}

function checkPath(body) {
  checkChildren(body)
  for (const { path } of body.data)
    assert.deepEqual(
      path.map(({ hs_code }) => hs_code),
      ['84'],
    )
}

function checkLookupPath(body) {
  assert.deepEqual(
    body.data.path.map(({ hs_code }) => hs_code),
    ['85', '8523', '852321', '85232100'],
  )
}

function checkResolve(body) {
  assert.equal(body.data.length, MANY_CODES.length)
  const meant = ['852321000000', '852321', '010121']
  body.data.forEach(({ input, hs_code, record }, n) => {
    assert.equal(input, MANY_CODES[n])
    assert.equal(hs_code, meant[n % 3])
    assert.equal(record.hs_code, hs_code)
  })
}

export function checkSearch(body) {
  assert.equal(body.data.length, 20)
  assert.equal(body.meta.count, 20)
  assert.ok(body.meta.total >= 20)
  assert.match(body.data[0].description.en, /motor/i)
  for (const item of body.data) {
    assert.deepEqual(Object.keys(item).sort(), ['description', 'hs_code', 'tariff_rate'])
  }
}

function checkTariff(body, { dataset }) {
  const { rate } = expectedRecord(dataset, TARIFF_CODE)
  // in millionths, so that the calculation is exact
  const value = Number(VALUE.replace('.', '')) * 10_000
  const duty = (value * rate) / 100
  const vat = (value + duty) / 20
  assert.deepEqual(body.data.calculation, {
    declared_value: Number(VALUE),
    currency: 'USD',
    import_duty_rate: rate,
    import_duty_amount: duty / 1e6,
    vat_rate: 5,
    vat_amount: vat / 1e6,
    total_duties_taxes: (duty + vat) / 1e6,
    landed_cost: (value + duty + vat) / 1e6,
  })
}

const refusal = code => body => {
  assert.equal(body.success, false)
  assert.equal(body.error.code, code)
}

/** `key` names the key to send: good, spent, unknown, or none. */
export const CASES = [
  {
    id: 'health',
    name: 'health',
    path: '/api/v1/health',
    key: 'none',
    status: 200,
    check: body => assert.equal(body.data.status, 'ok'),
  },
  {
    id: 'lookup',
    name: 'lookup',
    path: `/api/v1/hs-codes/${LOOKUP_CODE}`,
    key: 'good',
    status: 200,
    check: checkLookup,
  },
  {
    id: 'children',
    name: 'children of 50',
    path: '/api/v1/hs-codes/84/children',
    key: 'good',
    status: 200,
    check: checkChildren,
  },
  {
    id: 'search',
    name: 'search of 20',
    path: `/api/v1/search?q=${encodeURIComponent(QUERY)}`,
    key: 'good',
    status: 200,
    check: checkSearch,
  },
  {
    id: 'search-new',
    name: 'search of 20, never asked before',
    path: `/api/v1/search?q=${encodeURIComponent(QUERY)}`,
    script: new URL('lua/fresh.lua', import.meta.url).pathname,
    key: 'good',
    status: 200,
    check: checkSearch,
  },
  {
    id: 'search-many',
    name: 'search of 20, a thousand phrases in turn',
    path: `/api/v1/search?q=${encodeURIComponent(QUERY)}`,
    script: new URL('lua/phrases.lua', import.meta.url).pathname,
    scriptArgs: [new URL('relevance/phrases.tsv', import.meta.url).pathname],
    key: 'good',
    status: 200,
    check: checkSearch,
  },
  {
    id: 'tariff',
    name: 'tariff with VAT',
    path: `/api/v1/tariff/calculate?hs_code=${TARIFF_CODE}&value=${VALUE}&include_vat=1`,
    key: 'good',
    status: 200,
    check: checkTariff,
  },
  {
    id: 'lookup-path',
    name: 'lookup with its path',
    path: `/api/v1/hs-codes/${LOOKUP_CODE}?include=path`,
    key: 'good',
    status: 200,
    check: checkLookupPath,
  },
  {
    id: 'path',
    name: 'children of 50 with their path',
    path: '/api/v1/hs-codes/84/children?include=path',
    key: 'good',
    status: 200,
    check: checkPath,
  },
  {
    id: 'lines',
    name: 'lines of 50',
    path: '/api/v1/hs-codes/84/lines',
    key: 'good',
    status: 200,
    check: checkLines,
  },
  {
    id: 'resolve',
    name: `resolve of ${MANY_CODES.length}`,
    path: '/api/v1/resolve',
    script: new URL('lua/post.lua', import.meta.url).pathname,
    body: JSON.stringify({ codes: MANY_CODES }),
    key: 'good',
    status: 200,
    check: checkResolve,
  },
  {
    id: '304',
    name: '304 not modified',
    path: `/api/v1/hs-codes/${LOOKUP_CODE}`,
    headers: { 'If-None-Match': '*' },
    key: 'good',
    status: 304,
    check: body => assert.equal(body, undefined),
  },
  {
    id: '401',
    name: '401 unknown key',
    path: `/api/v1/hs-codes/${LOOKUP_CODE}`,
    key: 'unknown',
    status: 401,
    check: refusal('invalid_api_key'),
  },
  {
    id: '404',
    name: '404 not found',
    path: `/api/v1/hs-codes/${ABSENT_CODE}`,
    key: 'good',
    status: 404,
    check: refusal('not_found'),
  },
  {
    id: '429',
    name: '429 over limit',
    path: `/api/v1/hs-codes/${LOOKUP_CODE}`,
    key: 'spent',
    status: 429,
    check: refusal('rate_limit_exceeded'),
  },
]

/** The same lookup with metrics enabled, and with a log line per request. */
export const OBSERVED_LOOKUPS = [
  { id: 'lookup-counted', name: 'lookup, counted', env: { HSAPI_ADMIN_PORT: '0' } },
  {
    id: 'lookup-logged',
    name: 'lookup, in an access log',
    env: { HSAPI_ACCESS_LOG: 'json', HSAPI_ACCESS_LOG_FILE: '/dev/null' },
  },
]

export const caseById = id => CASES.find(one => one.id === id)

export function headersFor({ key, headers = {} }, stage) {
  const value = { good: stage.key, spent: stage.spentKey, unknown: UNKNOWN_KEY }[key]
  return value === undefined ? headers : { ...headers, 'X-Api-Key': value }
}

/** The options for wrk. */
export function loadOf(one, stage) {
  return {
    path: one.path,
    headers: headersFor(one, stage),
    status: one.status,
    script: one.script,
    scriptArgs: one.body === undefined ? one.scriptArgs : [one.body],
  }
}

/** Sends the request once and stops the benchmark if the answer is wrong. @returns {Promise<Buffer>} the body */
export async function verify({ port }, one, stage) {
  const posted = { method: 'POST', body: one.body, type: { 'Content-Type': 'application/json' } }
  const { type, ...request } = one.body === undefined ? { method: 'GET' } : posted
  const response = await fetch(`http://127.0.0.1:${port}${one.path}`, {
    ...request,
    headers: { ...headersFor(one, stage), ...type },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isEmpty = one.status === 304
  try {
    assert.equal(response.status, one.status)
    assert.equal(response.headers.get('content-type'), isEmpty ? null : 'application/json')
    for (const name of LIMIT_HEADERS) assert.match(response.headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/, name)
    one.check(isEmpty ? undefined : JSON.parse(bytes.toString('utf8')), stage)
  } catch (error) {
    throw new Error(`${one.name} was answered wrongly: ${error.message}\n${bytes.toString('utf8').slice(0, 300)}`)
  }
  return bytes
}
