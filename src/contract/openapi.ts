/** The OpenAPI document: served at /openapi.json; tests validate every response against it. */
import { bytes } from '../engines/bytes.js'
import * as limits from '../limits.js'
import { API_VERSION } from '../version.js'
import { kindSchema, versionSchema } from './change-schemas.js'
import { GTIN, LEVEL, LIMIT, levelSchema, SKU, titleSchema, VERIFIED_CODE, withinList } from './classify-schemas.js'
import { country } from './country-parameters.js'
import { NOTE_SCOPE } from './note-schemas.js'
import {
  examples,
  get,
  include,
  inPath,
  limit,
  names,
  offset,
  open,
  pathCode,
  post,
  publicDocument,
  query,
  refusals,
  required,
  SHORT_MAX,
} from './operations.js'
import { DOCS_INDEX, PAGES } from './pages.js'
import { RESOLVED_EDITIONS, schemas, WITH_VAT } from './schema.js'
import { code, integer, type Json, number, patterned, percentage, ref, string, text } from './schema-parts.js'
import { FACETS, FIELDS, nameList, querySchema, RATE, searchLevel, searchWithin } from './search-schemas.js'
import { INCLUDE_EXACT, shipmentParameters } from './shipment-schemas.js'

const CODES = 'Codes'
const SEARCH = 'Search'
const CHECKING = 'Checking codes'
const TARIFF = 'Tariff'
const SERVICE = 'Service'

/** Editions whose codes the shipped dataset correlates with current codes. */
const COMPARED_EDITIONS = [...RESOLVED_EDITIONS.slice(1), '2028']

const DIGITS = "Length of the lines, one of the dataset's line_digits; by default the longest"
const TYPED = 'The text typed so far, English or Arabic'
const VAT_RATE = `VAT rate in percent, instead of the dataset's; at most ${limits.VAT_RATE_PLACES_MAX} decimals. VAT is then added unless include_vat is 0 or false. The duty rate does not change`

const fields = (allowed: readonly string[]): Json => names('fields', nameList(allowed), FIELDS, ['hs_code'])

const eachCounts = (what: string) =>
  `Each ${what} counts as one request. One request is charged before the body is read, and the others afterwards, either all or none; if the quota does not cover them, the status is 429. A body counts as at least one request for every ${limits.BODY_BYTES_PER_REQUEST / 1024} KiB, rounded up.`

const paths: Json = {
  '/api/v1/health': open({
    id: 'health',
    tag: SERVICE,
    summary: 'Whether the service is up and its dataset loaded',
    schema: ref('HealthResponse'),
    examples: ['health'],
  }),
  '/api/v1/hs-codes/{code}': get({
    id: 'lookup',
    tag: CODES,
    summary: 'One record by its code',
    description:
      'If the code does not exist, the error names the nearest existing code above it. For a code of an earlier edition it also names ' +
      'the successors, and for a code of the next edition the current codes that it comes from.',
    parameters: [pathCode(limits.CODE_DIGITS_MAX, '851713'), include(limits.LOOKUP_INCLUDES), SHORT_MAX, ...country],
    schema: ref('RecordResponse'),
    examples: ['record', 'recordIncluding', 'recordWithLists', 'recordWithNotes', 'recordForCountry'],
    errors: ['invalidCode', 'invalidParameter', 'notFound'],
  }),
  '/api/v1/hs-codes/{code}/children': get({
    id: 'children',
    tag: CODES,
    summary: 'The codes one level below, ascending',
    parameters: [
      pathCode(limits.PARENT_DIGITS_MAX, '8517'),
      limit(limits.CHILDREN_LIMIT_DEFAULT),
      offset,
      include(limits.INCLUDES),
      SHORT_MAX,
      fields(limits.RECORD_FIELDS),
      ...country,
    ],
    schema: ref('RecordsResponse'),
    examples: ['children'],
    errors: ['invalidCode', 'invalidParameter', 'notFound'],
  }),
  '/api/v1/hs-codes/{code}/lines': get({
    id: 'lines',
    tag: CODES,
    summary: 'Every line at or below a code, ascending',
    description: 'Goods are declared under lines. For a code of 6 or 8 digits, for example, this lists its lines of 12 digits.',
    parameters: [
      pathCode(limits.CODE_DIGITS_MAX, '010121'),
      query('digits', integer(limits.CODE_DIGITS_MIN, limits.CODE_DIGITS_MAX), DIGITS, 12),
      limit(limits.LINES_LIMIT_DEFAULT),
      offset,
      include(limits.INCLUDES),
      SHORT_MAX,
      fields(limits.RECORD_FIELDS),
      ...country,
    ],
    schema: ref('RecordsResponse'),
    examples: ['lines'],
    errors: ['invalidCode', 'invalidParameter', 'notFound'],
  }),
  '/api/v1/chapters': get({
    id: 'chapters',
    tag: CODES,
    summary: 'The sections with their chapters',
    description: 'In the order of the nomenclature; chapters outside all sections come last.',
    schema: ref('ChaptersResponse'),
    examples: ['chapters'],
  }),
  '/api/v1/notes/{scope}': get({
    id: 'notes',
    tag: CODES,
    summary: 'The legal notes of a chapter or a section, or the general rules',
    description:
      'In our own words, in the order of the nomenclature. For a chapter, its own notes come first, then other notes that affect its codes; ' +
      'the notes of its section are listed under the section.',
    parameters: [inPath('scope', NOTE_SCOPE, 'A chapter of two digits, a section such as S16, or rules', '85')],
    schema: ref('NotesResponse'),
    examples: ['notes'],
    errors: ['invalidParameter', 'notFound'],
  }),
  '/api/v1/search': {
    ...get({
      id: 'search',
      tag: SEARCH,
      summary: 'Records by English or Arabic words, or by the first digits of a code',
      parameters: [
        required('q', querySchema, 'The words or digits to find', { english: 'saffron', arabic: 'زعفران' }),
        query('level', searchLevel, 'Only codes of this many digits'),
        query('within', searchWithin, 'Only codes at or below this one'),
        query('rate', percentage, RATE, 5),
        limit(limits.SEARCH_LIMIT_DEFAULT),
        offset,
        include(limits.SEARCH_INCLUDES),
        SHORT_MAX,
        names('facets', nameList(limits.FACETS), FACETS, ['chapter']),
        fields(limits.RESULT_FIELDS),
        ...country,
      ],
      schema: ref('SearchResponse'),
      examples: ['searchEnglish', 'searchArabic', 'searchMatched', 'searchFacets', 'searchFields'],
      errors: ['queryTooShort', 'invalidParameter'],
    }),
    ...post({
      id: 'searchMany',
      tag: SEARCH,
      summary: 'Many searches at once',
      description:
        `At most ${limits.SEARCHES_MAX} queries. ${eachCounts('query')} ` +
        'A query that cannot be answered has an error in its place.',
      body: ref('SearchesRequest'),
      schema: ref('SearchesResponse'),
      examples: ['searchedMany'],
    }),
  },
  '/api/v1/suggest': get({
    id: 'suggest',
    tag: SEARCH,
    summary: 'Completions of typed text, best known goods first, each with its code',
    parameters: [
      required('q', text(limits.SUGGEST_CHARS_MIN, limits.SUGGEST_CHARS_MAX), TYPED, { english: 'lap', arabic: 'لاب' }),
      limit(limits.SUGGEST_LIMIT_DEFAULT, limits.SUGGEST_LIMIT_MAX, 'Maximum number of completions'),
      query(
        'lang',
        { type: 'string', enum: limits.LANGUAGES },
        'The language of the completions; by default the language of the typed letters',
      ),
    ],
    schema: ref('SuggestResponse'),
    examples: ['suggestEnglish', 'suggestArabic'],
    errors: ['queryTooShort', 'invalidParameter'],
  }),
  '/api/v1/classify': {
    ...get({
      id: 'classify',
      tag: SEARCH,
      summary: 'Codes for a product title, with the question that decides between them',
      description:
        'The result is a proposal, never a ruling. If `status` is ask, the code depends on the answer to `question`: send the title again ' +
        'with the `within` of that answer. If `hs_code` is sent, `verdict` says whether title and code agree.',
      parameters: [
        required('text', titleSchema, 'A product title, English or Arabic', {
          english: 'SS304 seamless pipe sch40 2in',
          arabic: 'فستان سهرة نسائي دانتيل طويل',
        }),
        {
          ...query('within', withinList, 'Only codes at or below one of these, separated by commas', ['73']),
          style: 'form',
          explode: false,
        },
        query('hs_code', code, VERIFIED_CODE, '730641'),
        query('sku', text(0, 100), SKU),
        query('gtin', string, GTIN),
        query('level', { ...levelSchema, default: limits.CLASSIFY_LEVEL_DEFAULT }, LEVEL),
        limit(limits.CLASSIFY_LIMIT_DEFAULT, limits.CLASSIFY_LIMIT_MAX, LIMIT),
        ...country,
      ],
      schema: ref('ClassifyResponse'),
      examples: ['classifiedEnglish', 'classifiedArabic'],
      errors: ['invalidParameter'],
    }),
    ...post({
      id: 'classifyMany',
      tag: SEARCH,
      summary: 'Codes for many product titles at once',
      description: `At most ${limits.CLASSIFY_ITEMS_MAX} items. ${eachCounts('item')} If one item cannot be read, the whole request is refused.`,
      body: ref('ClassifyRequest'),
      schema: ref('ClassifyResponse'),
      examples: ['classifiedMany'],
    }),
  },
  '/api/v1/resolve': {
    ...get({
      id: 'resolve',
      tag: CHECKING,
      summary: 'Resolves codes as people and spreadsheets write them',
      description: `One result per code, in order; at most ${limits.RESOLVE_QUERY_MAX} codes. Each code counts as one request; either all codes are resolved, or none.`,
      parameters: [
        required('codes', string, 'Codes, separated by commas', '8517.13,10121'),
        query('edition', { ...string, examples: RESOLVED_EDITIONS }, 'The edition of the codes'),
        ...country,
      ],
      schema: ref('ResolveResponse'),
      examples: ['resolved'],
      errors: ['invalidParameter'],
    }),
    ...post({
      id: 'resolveMany',
      tag: CHECKING,
      summary: 'Resolves many codes at once',
      description: `At most ${limits.RESOLVE_BODY_MAX} codes. ${eachCounts('code')}`,
      body: ref('ResolveRequest'),
      schema: ref('ResolveResponse'),
      examples: ['resolvedMany'],
    }),
  },
  '/api/v1/editions/{edition}/{code}': get({
    id: 'editions',
    tag: CHECKING,
    summary:
      'The current codes for a subheading of an earlier edition, or the codes of the next edition for a current subheading',
    description:
      'With the year of an earlier edition, code is a code of that edition, and targets are current records. With the year of the next ' +
      'edition, code is a current code, and targets are codes of the next edition; its tables are provisional.',
    parameters: [
      inPath('edition', { ...patterned('^[0-9]{4}$'), examples: COMPARED_EDITIONS }, 'The year of the edition', '2017'),
      inPath('code', patterned('^[0-9]{6}$'), 'Six digits', '851712'),
    ],
    schema: ref('CorrelationResponse'),
    examples: ['correlation', 'nextCorrelation'],
    errors: ['invalidCode', 'invalidParameter', 'notFound'],
  }),
  '/api/v1/tariff/calculate': {
    ...get({
      id: 'tariff',
      tag: TARIFF,
      summary: 'Import duty, optional VAT and landed cost for a declared value',
      description:
        'Amounts are exact and never rounded. Rates are indicative. With `country`, the answer has duty, excise, fees and VAT of that ' +
        'country, each with its basis and source, and names what the amounts leave out; VAT is included unless `include_vat` is 0. ' +
        'An unknown parameter is refused.',
      parameters: [
        required('hs_code', code, `The code, ${limits.CODE_DIGITS_MIN} to ${limits.CODE_DIGITS_MAX} digits`, '870323'),
        required('value', number(Number(limits.VALUE_MIN), Number(limits.VALUE_MAX)), 'Declared value, CIF', 20000),
        query(
          'currency',
          { ...patterned('^[A-Za-z]{3}$'), default: limits.CURRENCY_DEFAULT },
          'A label of three letters; amounts are not converted',
        ),
        query('include_vat', { type: 'string', enum: ['1', 'true', '0', 'false'] }, WITH_VAT),
        query('vat_rate', number(0, limits.VAT_RATE_MAX), VAT_RATE),
        names('include', nameList(limits.ESTIMATE_INCLUDES), INCLUDE_EXACT, ['exact']),
        ...shipmentParameters,
      ],
      schema: ref('TariffResponse'),
      examples: ['tariff', 'tariffExact', 'shipment'],
      errors: ['invalidCode', 'invalidValue', 'invalidParameter', 'notFound'],
    }),
    ...post({
      id: 'invoice',
      tag: TARIFF,
      summary: 'Import duty, optional VAT and landed cost for the items of an invoice, with totals',
      description:
        `At most ${limits.INVOICE_ITEMS_MAX} items. ${eachCounts('item')} ` +
        'An item that cannot be calculated has an error in its place and is left out of the totals.',
      body: ref('InvoiceRequest'),
      schema: ref('InvoiceResponse'),
      examples: ['invoice', 'shipmentInvoice'],
    }),
  },
  '/api/v1/dataset': get({
    id: 'dataset',
    tag: SERVICE,
    summary: 'The dataset in use',
    schema: ref('DatasetResponse'),
    examples: ['dataset'],
  }),
  '/api/v1/changes': get({
    id: 'changes',
    tag: SERVICE,
    summary: 'Changes in new versions of the dataset: codes, rates, descriptions, and terms of countries',
    description:
      'Newest version first, then by kind and code. An unknown version is refused with the list of known ones; without `since`, all known changes are listed.',
    parameters: [
      query('since', versionSchema, 'The version that the caller has; only later changes are listed', '2.6.0'),
      query('kind', kindSchema, 'Only changes of this kind'),
      query(
        'codes',
        { type: 'string' },
        `1 to ${limits.CHANGES_CODES_MAX} codes, separated by commas. Only changes to these codes, to codes below them, to the code that a padded line repeats, and to the terms of codes above them are listed`,
        '8517,640411',
      ),
      limit(limits.CHANGES_LIMIT_DEFAULT),
      offset,
    ],
    schema: ref('ChangesResponse'),
    examples: ['changes'],
    errors: ['invalidParameter'],
  }),
  '/changes.atom': publicDocument({
    id: 'changesAtom',
    tag: SERVICE,
    summary: 'The versions of the dataset as an Atom feed',
    description: 'Atom (RFC 4287), one entry for each version. Needs no key.',
    schema: string,
    examples: [],
    type: 'application/atom+xml',
  }),
  '/openapi.json': open({
    id: 'openapi',
    tag: SERVICE,
    summary: 'This document',
    schema: { type: 'object' },
    examples: ['contract'],
  }),
}

export const OPENAPI: Json = {
  openapi: '3.1.0',
  info: {
    title: 'hsapi',
    version: API_VERSION,
    summary: 'HS code lookup, bilingual search and duty estimates',
    description:
      'Rates are indicative only and must be verified with the customs authority for an official assessment. ' +
      'Every path that supports GET also supports HEAD; other methods get 405. ' +
      'Request heads over 16 KB are refused with status 431, without JSON. On uWebSockets.js, so are heads with more than 98 header lines.\n\n' +
      `Documentation, on servers that have the explorer: ${PAGES.map(([title, path]) => `[${title}](${path})`).join(', ')}.`,
    contact: { name: 'The operator of this server' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  externalDocs: { url: DOCS_INDEX, description: 'The documentation pages, on servers that have the explorer' },
  servers: [{ url: '/', description: 'This server' }],
  tags: [
    { name: CODES, description: 'Look up codes, and the codes above and below them' },
    { name: SEARCH, description: 'Find codes by words, in English and Arabic' },
    { name: CHECKING, description: 'Check codes, and translate them between editions' },
    { name: TARIFF, description: 'Duty, VAT and landed cost' },
    { name: SERVICE, description: 'The service and its dataset' },
  ],
  security: [{ apiKey: [] }, { marketplaceKey: [] }, { bearer: [] }],
  paths,
  // the response for all other paths; OpenAPI has no place for it
  'x-unknown-path': refusals(['routeNotFound'])['404'],
  components: {
    schemas,
    examples,
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Your key' },
      marketplaceKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Marketplace-Key',
        description: 'The same key, as marketplaces send it',
      },
      bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token' },
    },
  },
}

export const OPENAPI_BYTES = bytes(JSON.stringify(OPENAPI))
