/** Requests behind the contract's examples; a test sends each to a real server and compares the response. */
import type { ErrorName } from '../errors.js'

export interface ExampleRequest {
  summary: string
  method?: 'POST' | 'DELETE'
  path: string
  body?: unknown
  /** Shows only this many entries of a list. */
  shown?: number
  /** Shows only these fields of a document. */
  fields?: readonly string[]
}

export const ANSWERED = {
  health: { summary: 'Up and loaded · الخدمة تعمل والبيانات جاهزة', path: '/api/v1/health' },
  record: { summary: 'Smartphones · هواتف ذكية', path: '/api/v1/hs-codes/851713' },
  recordIncluding: {
    summary:
      'With path, editions, rate, unit, controls and everyday names · مع المسار والإصدارات ومصدر النسبة والوحدة والقيود والأسماء الشائعة',
    path: '/api/v1/hs-codes/851713?include=path,editions,rate,unit,controls,examples',
  },
  recordWithLists: {
    summary: 'With children, siblings and lines · مع الرموز التابعة والمجاورة والبنود',
    path: '/api/v1/hs-codes/851713?include=children,siblings,lines',
  },
  recordForCountry: {
    summary: 'The rate of Saudi Arabia · نسبة المملكة العربية السعودية',
    path: '/api/v1/hs-codes/841510?country=SA&include=rate',
  },
  recordWithNotes: {
    summary: 'With legal notes, and goods that belong elsewhere · مع الملاحظات القانونية والسلع التي تصنف في غيره',
    path: '/api/v1/hs-codes/940690?include=notes,see_also',
  },
  notes: { summary: 'Notes of chapter 9 · ملاحظات الفصل 9', path: '/api/v1/notes/09' },
  children: {
    summary: 'The first two codes below tea · أول رمزين تحت الشاي',
    path: '/api/v1/hs-codes/0902/children?limit=2',
  },
  lines: { summary: 'Lines of 12 digits · بنود من 12 رقما', path: '/api/v1/hs-codes/010121/lines?limit=2' },
  chapters: { summary: 'The first section · أول الأقسام', path: '/api/v1/chapters', shown: 1 },
  searchEnglish: { summary: 'English words · كلمات إنجليزية', path: '/api/v1/search?q=saffron&limit=2' },
  searchArabic: {
    summary: 'Arabic words · كلمات عربية',
    path: `/api/v1/search?q=${encodeURIComponent('زعفران')}&limit=2`,
  },
  searchMatched: {
    summary: 'With the name that matched · مع الاسم المطابق',
    path: '/api/v1/search?q=laptop%20bags&limit=2&include=matched',
  },
  searchFacets: {
    summary: 'With counts over all results · مع أعداد لكل النتائج',
    path: '/api/v1/search?q=saffron&limit=1&facets=chapter,level,rate',
  },
  searchFields: {
    summary: 'Codes and English words only · الرموز والوصف الإنجليزي فقط',
    path: '/api/v1/search?q=saffron&limit=2&fields=hs_code,description.en',
  },
  searchedMany: {
    summary: 'Three queries, one of them too short · ثلاثة استعلامات، أحدها قصير',
    method: 'POST',
    path: '/api/v1/search',
    body: {
      queries: [{ q: 'green tea', level: 6, within: '09', limit: 1 }, { q: 'زعفران', limit: 1 }, { q: ' x ' }],
      include: ['matched'],
    },
  },
  suggestEnglish: { summary: 'Typed in English · كتابة بالإنجليزية', path: '/api/v1/suggest?q=lap&limit=2' },
  suggestArabic: {
    summary: 'Typed in Arabic · كتابة بالعربية',
    path: `/api/v1/suggest?q=${encodeURIComponent('لاب')}&limit=2`,
  },
  classifiedEnglish: {
    summary: 'A product title in English, and the question that decides · عنوان منتج بالإنجليزية، والسؤال الحاسم',
    path: `/api/v1/classify?text=${encodeURIComponent('Coffee beans 1 kg')}&limit=2`,
  },
  classifiedArabic: {
    summary: 'A product title in Arabic · عنوان منتج بالعربية',
    path: `/api/v1/classify?text=${encodeURIComponent('فستان سهرة نسائي دانتيل طويل')}&limit=2`,
  },
  classifiedMany: {
    summary: 'Two titles: one within a chapter, one with a code to verify · عنوانان: أحدهما ضمن فصل، والآخر مع رمز للتحقق',
    method: 'POST',
    path: '/api/v1/classify',
    body: {
      items: [
        { text: 'Power bank 20000mAh slim', within: '85' },
        { text: 'Saffron threads 1 g', hs_code: '091020' },
      ],
      limit: 2,
    },
  },
  resolved: { summary: 'Dots and a lost zero · نقاط وصفر ساقط', path: '/api/v1/resolve?codes=8517.13,10121' },
  resolvedMany: {
    summary: 'Codes of HS 2017, one of them invalid · رموز من إصدار 2017، أحدها ليس رمزا',
    method: 'POST',
    path: '/api/v1/resolve',
    body: { codes: ['300211', 'see list'], edition: '2017' },
  },
  correlation: { summary: 'A code that another code has replaced · رمز حل محله رمز آخر', path: '/api/v1/editions/2017/300211' },
  nextCorrelation: {
    summary: 'Codes of HS 2028 for a current code · الرموز التي تحل محله في إصدار 2028',
    path: '/api/v1/editions/2028/030289',
  },
  tariff: {
    summary: 'A car, with VAT · سيارة مع ضريبة القيمة المضافة',
    path: '/api/v1/tariff/calculate?hs_code=870323&value=20000&currency=AED&include_vat=1',
  },
  tariffExact: {
    summary: 'Amounts as text, with every digit · المبالغ نصا بجميع أرقامها',
    path: '/api/v1/tariff/calculate?hs_code=870323&value=123456789012.34&vat_rate=5.125&include=exact',
  },
  shipment: {
    summary:
      'Cola in Saudi Arabia: duty, excise, fee and VAT · كولا في السعودية: رسم وضريبة انتقائية ورسم خدمة وضريبة قيمة مضافة',
    path: '/api/v1/tariff/calculate?hs_code=220210230004&value=1000&currency=SAR&country=SA&freight=80&quantity=500&unit=l&as_of=2026-03-01',
  },
  shipmentInvoice: {
    summary: 'Two items of one Saudi declaration · صنفان في بيان سعودي واحد',
    method: 'POST',
    path: '/api/v1/tariff/calculate',
    body: {
      country: 'SA',
      as_of: '2026-03-01',
      currency: 'SAR',
      items: [
        { hs_code: '851713000000', value: 20000 },
        { hs_code: '40111010', value: 5000, origin: 'EG' },
      ],
    },
  },
  invoice: {
    summary: 'Two items, one of them unknown · صنفان، أحدهما غير معروف',
    method: 'POST',
    path: '/api/v1/tariff/calculate',
    body: {
      currency: 'AED',
      include_vat: true,
      items: [
        { hs_code: '870323', value: 20000 },
        { hs_code: '851799', value: '99.90' },
      ],
    },
  },
  dataset: { summary: 'The shipped data · البيانات المرفقة', path: '/api/v1/dataset' },
  changes: {
    summary: 'What changed after a version · ما تغير بعد إصدار',
    path: '/api/v1/changes?since=2.5.0&kind=words&limit=2',
  },
  contract: {
    summary: 'The beginning of the document · بداية الوثيقة',
    path: '/openapi.json',
    fields: ['openapi', 'servers', 'security'],
  },
} as const satisfies Record<string, ExampleRequest>

export type AnswerName = keyof typeof ANSWERED

const LOOKUP = '/api/v1/hs-codes/851713'

/** The state of the server or key that leads to a refusal. */
export type Situation = 'no key' | 'unknown key' | 'expired key' | 'used up' | 'faulty' | 'starting' | 'busy'

export interface RefusedRequest extends ExampleRequest {
  /** Default: the name of the example. */
  error?: ErrorName
  situation?: Situation
  /** Content-Type, if not JSON. */
  type?: string
}

export const REFUSED = {
  missingApiKey: { summary: 'No key sent · لم يرسل مفتاح', path: LOOKUP, situation: 'no key' },
  invalidApiKey: { summary: 'An unknown key · مفتاح غير معروف', path: LOOKUP, situation: 'unknown key' },
  apiKeyExpired: { summary: 'An expired key · مفتاح منتهي الصلاحية', path: LOOKUP, situation: 'expired key' },
  rateLimitExceeded: { summary: 'The limit per minute is used up · استنفد حد الدقيقة', path: LOOKUP, situation: 'used up' },
  invalidCode: { summary: 'A code with a dot · رمز فيه نقطة', path: '/api/v1/hs-codes/8517.13' },
  invalidValue: {
    summary: 'A value below the minimum · قيمة دون الحد الأدنى',
    path: '/api/v1/tariff/calculate?hs_code=870323&value=0',
  },
  queryTooShort: { summary: 'A single letter · حرف واحد', path: `/api/v1/search?q=${encodeURIComponent('ز')}` },
  invalidParameter: {
    summary: 'A limit above the maximum · قيمة limit أكبر من المسموح',
    path: '/api/v1/search?q=saffron&limit=51',
  },
  notFound: { summary: 'No such code · رمز غير موجود', path: '/api/v1/hs-codes/851799' },
  notFoundMoved: {
    error: 'notFound',
    summary: 'A code of an earlier edition · رمز من إصدار سابق',
    path: '/api/v1/hs-codes/300211',
  },
  notFoundLater: {
    error: 'notFound',
    summary: 'A code of HS 2028 · رمز من إصدار 2028',
    path: '/api/v1/editions/2028/030286',
  },
  routeNotFound: { summary: 'No such path · مسار غير موجود', path: '/api/v1/codes' },
  methodNotAllowed: {
    summary: 'A method that the path does not support · طريقة لا يدعمها المسار',
    method: 'DELETE',
    path: LOOKUP,
  },
  bodyTooLarge: {
    summary: 'A body over 64 KiB · محتوى أكبر من 64 كيلوبايت',
    method: 'POST',
    path: '/api/v1/resolve',
    body: { codes: ['0'.repeat(65_536)] },
  },
  unsupportedMediaType: {
    summary: 'A body that is not JSON · محتوى ليس JSON',
    method: 'POST',
    path: '/api/v1/resolve',
    body: 'codes=851713',
    type: 'application/x-www-form-urlencoded',
  },
  internalError: { summary: 'A server error · خطأ في الخادم', path: LOOKUP, situation: 'faulty' },
  dbUnavailable: { summary: 'Still loading · البيانات قيد التحميل', path: LOOKUP, situation: 'starting' },
  busy: {
    summary: 'Too many batch requests in progress · طلبات كثيرة قيد التنفيذ',
    method: 'POST',
    path: '/api/v1/classify',
    body: { items: [{ text: 'saffron' }, { text: 'laptop' }] },
    situation: 'busy',
  },
} as const satisfies Record<string, RefusedRequest>
