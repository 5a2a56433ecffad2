import * as limits from '../limits.js'
import { changeSchemas } from './change-schemas.js'
import { CLASSIFY_SCHEMAS } from './classify-schemas.js'
import { AS_OF, COUNTRY, countrySchema, daySchema } from './country-parameters.js'
import { EXAMPLE_ANSWERS } from './example-answers.js'
import { included, includedInLookup, includedInSearch } from './include-schemas.js'
import { noteSchemas } from './note-schemas.js'
import {
  amount,
  boolean,
  code,
  codeOrNull,
  count,
  errorCode,
  integer,
  itemError,
  type Json,
  list,
  number,
  object,
  patterned,
  percentage,
  ref,
  string,
  stringOrNull,
  subheading,
  text,
  unece,
} from './schema-parts.js'
import { nameList, pickedSchema, SEARCH_SCHEMAS } from './search-schemas.js'
import { asText, EXACT, EXACT_TOTALS, INCLUDE_EXACT, SHIPMENT_SCHEMAS, shipmentItemFields } from './shipment-schemas.js'

export const WITH_VAT = 'Whether to add VAT; by default only if vat_rate is sent'

/** Editions of the shipped dataset whose codes can be resolved. */
export const RESOLVED_EDITIONS = ['2022', '2017', '2012', '2007', '2002', '1996']

const envelope = (data: Json, meta: string): Json => object({ success: { type: 'boolean', const: true }, data, meta: ref(meta) })

/** A list of whole records, or of records with only the requested fields. */
const orPicked = (whole: string, picked: string): Json => list({ anyOf: [ref(whole), ref(picked)] }, limits.PAGE_LIMIT_MAX)

const stamp: Record<string, Json> = {
  timestamp: { type: 'string', format: 'date-time', pattern: '\\+00:00$', description: 'UTC, to the second' },
  api_version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
}

const step: Record<string, Json> = { hs_code: code, description: ref('Description') }

const record: Record<string, Json> = {
  ...step,
  level: { ...integer(limits.CODE_DIGITS_MIN, limits.CODE_DIGITS_MAX), description: 'Number of digits' },
  parent_id: { type: ['integer', 'null'], description: "A 1 followed by the parent's digits; null if the code has no parent" },
  tariff_rate: {
    ...percentage,
    description: 'Import duty in percent, of the common tariff or of the country that the request names',
  },
  is_active: boolean,
}

const amounts: Record<string, Json> = {
  declared_value: amount,
  import_duty_amount: amount,
  vat_amount: amount,
  total_duties_taxes: amount,
  landed_cost: amount,
}

function exampleOf(name: 'record' | 'suggestEnglish' | 'resolved'): unknown {
  const { data } = JSON.parse(EXAMPLE_ANSWERS[name])
  return Array.isArray(data) ? data[0] : data
}

export const schemas: Record<string, Json> = {
  Meta: object(stamp),
  PageMeta: object({
    total: { ...count, description: 'Number of all results' },
    limit: integer(1, limits.PAGE_LIMIT_MAX),
    offset: count,
    count: { ...integer(0, limits.PAGE_LIMIT_MAX), description: 'Number of results on this page' },
    ...stamp,
  }),
  ListMeta: object({ count: integer(0, limits.RESOLVE_BODY_MAX), ...stamp }),
  Description: object({ en: string, ar: string }),
  PathStep: object(step),
  Record: { ...object(record), examples: [exampleOf('record')] },
  IncludingRecord: object({ ...record, ...included }, Object.keys(included)),
  LookupRecord: object({ ...record, ...includedInLookup }, Object.keys(includedInLookup)),
  RecordPage: object({
    items: list(object({ ...record, rate: included.rate }, ['rate']), limits.PAGE_LIMIT_MAX),
    total: count,
    limit: integer(1, limits.PAGE_LIMIT_MAX),
    offset: count,
  }),
  Unit: object({
    code: { type: 'string', examples: ['kg', 'u', '2u'], description: 'u: items; 2u: pairs' },
    name: ref('Description'),
    certainty: { type: 'string', enum: ['published', 'assumed'] },
    unece,
  }),
  Controls: object({
    items: {
      type: 'array',
      items: ref('Control'),
      description: 'Controls of the code and of the codes above it, the most serious kind first',
    },
    note: { ...ref('Description'), description: 'Says that an empty list does not mean that there is no control' },
  }),
  Control: object({
    scope: { type: 'string', enum: ['GCC', 'AE', 'BH', 'KW', 'OM', 'QA', 'SA'], description: 'GCC: all member states' },
    kind: {
      type: 'string',
      enum: ['prohibited', 'restricted', 'permit', 'conformity'],
      description: 'conformity: a certificate that the goods conform to a standard',
    },
    authority: { ...stringOrNull, description: 'The authority in charge; null if it is not known' },
    reason: ref('Description'),
    source: string,
    date: { type: 'string', format: 'date', description: 'Date of the source' },
    certainty: { type: 'string', enum: ['published', 'reported', 'uncertain'] },
  }),
  ...noteSchemas,
  ...changeSchemas,
  Name: object({ text: string, lang: { type: 'string', enum: limits.LANGUAGES } }),
  SearchItem: object({ ...step, tariff_rate: percentage, ...includedInSearch }, Object.keys(includedInSearch)),
  ...SEARCH_SCHEMAS,
  PickedRecord: pickedSchema(record, included),
  Suggestion: {
    ...object({
      text: { ...text(1, limits.SUGGEST_CHARS_MAX), description: 'The completion' },
      lang: { type: 'string', enum: limits.LANGUAGES },
      hs_code: { ...code, description: 'The code that the text names; the best known one if it names several' },
      description: ref('Description'),
    }),
    examples: [exampleOf('suggestEnglish')],
  },
  Section: object({
    section: { ...stringOrNull, description: 'Roman numeral; null for chapters in no section' },
    title: ref('Description'),
    chapters: { type: 'array', items: ref('PathStep') },
  }),
  Resolved: {
    ...object(
      {
        input: { type: 'string', description: 'The code as sent' },
        status: {
          type: 'string',
          enum: ['found', 'normalised', 'ambiguous', 'moved', 'unknown', 'invalid'],
          description:
            'found: the code exists as sent. normalised: it exists without separators or padding, or with one lost leading zero restored. ' +
            'ambiguous: several codes are possible. moved: a code of an earlier edition, replaced by one other code. ' +
            'unknown: does not exist. invalid: not a code',
        },
        hs_code: { ...codeOrNull, description: 'The code that is meant' },
        declarable: {
          type: 'boolean',
          description: 'Whether the code is one of the longest lines, under which goods are declared',
        },
        lines: { ...count, description: 'Number of the longest lines at or below the code' },
        nearest: { ...codeOrNull, description: 'For an unknown code: the longest existing code above it' },
        candidates: {
          type: 'array',
          items: code,
          description: 'Possible codes, or the successors of an unknown one, most likely first',
        },
        record: { anyOf: [ref('Record'), { type: 'null' }] },
        reason: { type: 'string', description: 'Why the code is invalid; absent otherwise' },
      },
      ['reason'],
    ),
    examples: [exampleOf('resolved')],
  },
  ResolveRequest: {
    type: 'object',
    description: `At most ${limits.BODY_BYTES_MAX} bytes`,
    properties: {
      codes: list(string, limits.RESOLVE_BODY_MAX, 1),
      edition: { type: ['string', 'integer'], examples: RESOLVED_EDITIONS, description: 'The edition of the codes' },
      country: { ...countrySchema, description: COUNTRY },
      as_of: { ...daySchema, description: AS_OF },
    },
    required: ['codes'],
    additionalProperties: false,
    examples: [{ codes: ['8517.13', '10121'], edition: '2022' }],
  },
  Correlation: object({
    edition: patterned('^[0-9]{4}$'),
    code: subheading,
    relation: {
      type: 'string',
      enum: ['same', 'moved', 'split'],
      description: 'same: the only target is the code itself. moved: the only target is another code. split: several targets',
    },
    targets: { type: 'array', minItems: 1, items: ref('Record'), description: 'Most likely first' },
  }),
  NextCorrelation: object({
    edition: patterned('^[0-9]{4}$'),
    code: { ...subheading, description: 'A current code' },
    relation: {
      type: 'string',
      enum: ['same', 'moved', 'split'],
      description: 'same: the only target has the same number. moved: the only target has another number. split: several targets',
    },
    targets: { type: 'array', minItems: 1, items: ref('NextTarget'), description: 'Most likely first' },
    provisional: { type: 'boolean', const: true },
  }),
  NextTarget: object({
    hs_code: { ...subheading, description: 'A code of the next edition' },
    part: {
      type: 'string',
      enum: ['whole', 'old', 'new', 'both'],
      description:
        'The goods that the target covers. whole: all goods of the current code and no others. old: a part of them and no others. ' +
        'new: all of them, and goods of other codes. both: a part of them, and goods of other codes',
    },
    certainty: { type: 'string', enum: ['published', 'derived', 'uncertain'] },
  }),
  Dataset: object({
    edition: { type: 'string', examples: ['HS 2022'] },
    version: string,
    snapshot: { type: 'string', pattern: '^[0-9a-f]{16}$', description: 'Identifies a build of the data' },
    records: count,
    levels: { type: 'object', description: 'Number of codes for each number of digits', additionalProperties: count },
    line_digits: { type: 'array', items: count, description: 'Numbers of digits of the lines under which goods are declared' },
    vat_rate: percentage,
    languages: { type: 'array', items: { type: 'string', enum: limits.LANGUAGES } },
    rates: { type: 'array', items: amount, description: 'All duty rates of the dataset, in percent' },
  }),
  Health: object({
    status: { type: 'string', enum: ['ok', 'starting'] },
    service: string,
    foundation_schema_ready: boolean,
    api_version: string,
  }),
  Tariff: object(
    {
      hs_code: code,
      product: string,
      calculation: object({
        declared_value: { type: 'number', minimum: Number(limits.VALUE_MIN) },
        currency: patterned('^[A-Z]{3}$'),
        import_duty_rate: amount,
        import_duty_amount: amount,
        vat_rate: amount,
        vat_amount: amount,
        total_duties_taxes: amount,
        landed_cost: amount,
      }),
      notes: {
        type: 'string',
        description:
          'Says that rates are indicative. If applicable, it also says that the code is inactive, that the goods are prohibited, or ' +
          'which range of rates the lines below the code have',
      },
      exact: { ...ref('ExactAmounts'), description: EXACT },
    },
    ['exact'],
  ),
  ExactAmounts: object(asText(amounts)),
  InvoiceRequest: {
    type: 'object',
    description: `At most ${limits.BODY_BYTES_MAX} bytes`,
    properties: {
      currency: { type: 'string', pattern: '^[A-Za-z]{3}$', description: 'A label of three letters; amounts are not converted' },
      include_vat: { ...boolean, description: WITH_VAT },
      vat_rate: {
        ...number(0, limits.VAT_RATE_MAX),
        description:
          "VAT rate in percent, instead of the dataset's. VAT is then added unless include_vat is false. The duty rate does not change",
      },
      country: { ...countrySchema, description: COUNTRY },
      as_of: { ...daySchema, description: AS_OF },
      origin: {
        ...patterned('^[A-Za-z]{2}$'),
        description: 'Country of origin of items without their own origin; needs country',
      },
      include: { ...nameList(limits.ESTIMATE_INCLUDES), description: INCLUDE_EXACT },
      items: list(
        {
          type: 'object',
          properties: {
            hs_code: string,
            value: {
              type: ['number', 'string'],
              description: `${limits.VALUE_MIN} to ${limits.VALUE_MAX}; as a string if your JSON writer would round it`,
            },
            ...shipmentItemFields,
          },
          required: ['hs_code', 'value'],
          additionalProperties: false,
        },
        limits.INVOICE_ITEMS_MAX,
        1,
      ),
    },
    required: ['items'],
    additionalProperties: false,
    examples: [{ currency: 'AED', include_vat: true, items: [{ hs_code: '870323', value: 20000 }] }],
  },
  ...CLASSIFY_SCHEMAS,
  ...SHIPMENT_SCHEMAS,
  InvoiceItemError: object({
    hs_code: { type: 'string', description: 'The code as sent' },
    error: itemError,
  }),
  Invoice: object(
    {
      items: list({ anyOf: [ref('Tariff'), ref('InvoiceItemError')] }, limits.INVOICE_ITEMS_MAX, 1),
      totals: { ...object(amounts), description: 'Sums over the items that could be calculated' },
      exact: { ...ref('ExactAmounts'), description: EXACT_TOTALS },
    },
    ['exact'],
  ),
  HealthResponse: envelope(ref('Health'), 'Meta'),
  RecordResponse: envelope(ref('LookupRecord'), 'Meta'),
  RecordsResponse: envelope(orPicked('IncludingRecord', 'PickedRecord'), 'PageMeta'),
  SearchResponse: object(
    {
      success: { type: 'boolean', const: true },
      data: orPicked('SearchItem', 'PickedSearchItem'),
      facets: ref('Facets'),
      meta: ref('PageMeta'),
    },
    ['facets'],
  ),
  SearchesResponse: envelope(list({ anyOf: [ref('SearchAnswer'), ref('SearchRefusal')] }, limits.SEARCHES_MAX, 1), 'ListMeta'),
  SuggestResponse: envelope(list(ref('Suggestion'), limits.SUGGEST_LIMIT_MAX), 'ListMeta'),
  NotesResponse: envelope(ref('ScopeNotes'), 'Meta'),
  ChangesResponse: envelope(list(ref('DatasetChange'), limits.PAGE_LIMIT_MAX), 'PageMeta'),
  ChaptersResponse: envelope({ type: 'array', items: ref('Section') }, 'Meta'),
  ResolveResponse: envelope(list(ref('Resolved'), limits.RESOLVE_BODY_MAX, 1), 'ListMeta'),
  ClassifyResponse: envelope(ref('Classification'), 'Meta'),
  CorrelationResponse: envelope({ anyOf: [ref('Correlation'), ref('NextCorrelation')] }, 'Meta'),
  DatasetResponse: envelope(ref('Dataset'), 'Meta'),
  TariffResponse: envelope({ anyOf: [ref('Tariff'), ref('CountryEstimate')] }, 'Meta'),
  InvoiceResponse: envelope({ anyOf: [ref('Invoice'), ref('CountryInvoice')] }, 'Meta'),
  ErrorResponse: object({
    success: { type: 'boolean', const: false },
    error: object(
      {
        code: errorCode,
        message: { type: 'string', description: 'One sentence for humans' },
        details: object(
          {
            parameter: { type: 'string', description: 'The invalid parameter' },
            did_you_mean: { type: 'string', description: 'The known name nearest to an unknown parameter' },
            nearest: { type: 'string', description: 'The longest existing code above' },
            moved_to: {
              type: 'array',
              items: subheading,
              description: 'Successors of a code of an earlier edition, most likely first',
            },
            comes_from: {
              type: 'array',
              items: subheading,
              description: 'For a code of the next edition: the current codes whose goods it takes over',
            },
            request_id: { type: 'string', description: "Identifies an internal error in the server's log" },
          },
          ['parameter', 'did_you_mean', 'nearest', 'moved_to', 'comes_from', 'request_id'],
        ),
      },
      ['details'],
    ),
    meta: ref('Meta'),
  }),
}
