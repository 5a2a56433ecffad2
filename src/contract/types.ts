/** Generated from the schemas of the contract by scripts/write-types.mjs; do not edit. */

export interface Description {
  readonly en: string
  readonly ar: string
}

export interface PathStep {
  readonly hs_code: string
  readonly description: Description
}

export interface HsRecord {
  readonly hs_code: string
  readonly description: Description
  /** Number of digits; 2 to 14 */
  readonly level: number
  /** A 1 followed by the parent's digits; null if the code has no parent */
  readonly parent_id: number | null
  /** Import duty in percent, of the common tariff or of the country that the request names */
  readonly tariff_rate: number
  readonly is_active: boolean
}

export interface RecordPage {
  readonly items: readonly ListedRecord[]
  readonly total: number
  /** 1 to 50 */
  readonly limit: number
  readonly offset: number
}

export interface Unit {
  /** u: items; 2u: pairs */
  readonly code: string
  readonly name: Description
  readonly certainty: 'published' | 'assumed'
  /** Code of the unit in UN/ECE Recommendation 20, as used in e-invoices; null if it has none */
  readonly unece: string | null
}

export interface Controls {
  /** Controls of the code and of the codes above it, the most serious kind first */
  readonly items: readonly Control[]
  /** Says that an empty list does not mean that there is no control */
  readonly note: Description
}

export interface Control {
  /** GCC: all member states */
  readonly scope: 'GCC' | 'AE' | 'BH' | 'KW' | 'OM' | 'QA' | 'SA'
  /** conformity: a certificate that the goods conform to a standard */
  readonly kind: 'prohibited' | 'restricted' | 'permit' | 'conformity'
  /** The authority in charge; null if it is not known */
  readonly authority: string | null
  readonly reason: Description
  readonly source: string
  /** Date of the source */
  readonly date: string
  readonly certainty: 'published' | 'reported' | 'uncertain'
}

export interface Note {
  /** rules, a section, a code, or several of them separated by a comma and a space */
  readonly scope: string
  /**
   * excludes: goods that the scope does not cover; defines: the meaning of a word; includes: goods that the scope also covers;
   * prefers: which of several codes takes precedence; rule: any other rule
   */
  readonly kind: 'excludes' | 'defines' | 'includes' | 'prefers' | 'rule'
  readonly number: string
  /** A summary in our own words; only the legal text is binding */
  readonly text: Description
  /** The codes that the goods belong to; empty if no code can be named */
  readonly goes_to: readonly string[]
  /** published: read in a published text; general: from general knowledge of the nomenclature */
  readonly certainty: 'published' | 'general' | 'uncertain'
}

export interface ScopeNotes {
  readonly scope: string
  readonly notes: readonly Note[]
}

export interface NoteList {
  readonly items: readonly Note[]
  /** Number of all entries, including those that are not shown */
  readonly total: number
}

export interface AllNotes {
  readonly items: readonly Note[]
  readonly total: number
}

export interface Pointer {
  /** Goods that people look for under this code */
  readonly what: Description
  /** The code that they belong to */
  readonly hs_code: string
  readonly description: Description
}

export interface PointerList {
  readonly items: readonly Pointer[]
  /** Number of all entries, including those that are not shown */
  readonly total: number
}

/** For a code that was added or removed: description and rate; otherwise only the fields that changed */
export interface ChangedFields {
  readonly description?: Description
  readonly tariff_rate?: number
  readonly is_active?: boolean
  /** Present instead of a rate if the country's list has no rate */
  readonly rate_status?: 'prohibited' | 'unknown'
  /** All taxes on the goods, before or after the change */
  readonly taxes?: readonly ChangedTax[]
  /** All controls of the country, or of all GCC states together */
  readonly controls?: readonly ChangedControl[]
  /** The unit in which the quantity is declared */
  readonly unit?: string | null
}

export interface ChangedTax {
  readonly tax: 'vat' | 'excise'
  /** Percent of the value */
  readonly rate: number | null
  /** For each unit, in the country's currency */
  readonly unit_amount: number | null
  /** The lowest price for each unit on which the rate is charged */
  readonly minimum: number | null
  readonly unit: 'l' | 'u' | 'g' | null
  /** The tax applies from this many grams of sugar per 100 ml */
  readonly sugar_from: number | null
  /** The tax applies below this many grams of sugar per 100 ml */
  readonly sugar_below: number | null
  /** perhaps: depends on something that the code does not show */
  readonly applies: 'yes' | 'perhaps'
  /** The first day, if it is later than the day of the version */
  readonly since: string | null
  /** The last day */
  readonly until: string | null
}

export interface ChangedControl {
  readonly kind: 'prohibited' | 'restricted' | 'permit' | 'conformity'
  readonly authority: string | null
}

export interface DatasetChange {
  /** The version with this change */
  readonly version: string
  readonly kind: ChangeKind
  /** Changes to terms (country_rate, taxes, controls, unit) also apply to all codes below this code */
  readonly hs_code: string
  /** Absent if the change applies to all countries */
  readonly country?: CountryCode
  /** null for a code that was added */
  readonly old: ChangedFields | null
  /** null for a code that was removed */
  readonly new: ChangedFields | null
}

export interface Name {
  readonly text: string
  readonly lang: Language
}

export interface SearchItem {
  readonly hs_code: string
  readonly description: Description
  readonly tariff_rate: number
}

/** With facets: how all results are distributed. The counts of each facet add up to total */
export interface Facets {
  /** Most results first */
  readonly chapter: readonly ChapterCount[]
  /** Ascending */
  readonly level: readonly LevelCount[]
  /** By tariff_rate, ascending */
  readonly rate: readonly RateCount[]
}

/** At most 65536 bytes */
export interface SearchesRequest {
  readonly queries: readonly SearchQuery[]
  /** Additional fields of each result; the limits of all queries may then add up to at most 250 */
  readonly include?: readonly SearchInclude[]
  /** Maximum length of the short description that include=short adds, in characters; default 35; 10 to 200 */
  readonly short_max?: number
  /** The result's own fields to return; fields that include adds are always returned */
  readonly fields?: readonly ResultField[]
  /** Counts over all results of each query */
  readonly facets?: readonly Facet[]
  /**
   * The country whose rates are used instead of those of the common tariff; letter case does not matter. Default: the server's
   * HSAPI_COUNTRY
   */
  readonly country?: string
  /** Uses the country's newest list of this day or earlier; a day before the first list is refused */
  readonly as_of?: string
}

export interface SearchQuery {
  /** The words or digits to find; 2 to 200 characters */
  readonly q: string
  /** Only codes of this many digits */
  readonly level?: 2 | 4 | 6 | 8 | 10 | 12
  /** Only codes at or below this one */
  readonly within?: string
  /** Only codes with this tariff_rate, in percent */
  readonly rate?: number
  /** Page size; default 5; 1 to 50 */
  readonly limit?: number
  /** Number of results before the page; default 0 */
  readonly offset?: number
}

export interface SearchRefusal {
  /** The query as sent */
  readonly q: string
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
  }
}

export interface Suggestion {
  /** The completion; 1 to 60 characters */
  readonly text: string
  readonly lang: Language
  /** The code that the text names; the best known one if it names several */
  readonly hs_code: string
  readonly description: Description
}

export interface Section {
  /** Roman numeral; null for chapters in no section */
  readonly section: string | null
  readonly title: Description
  readonly chapters: readonly PathStep[]
}

export interface Resolved {
  /** The code as sent */
  readonly input: string
  /**
   * found: the code exists as sent. normalised: it exists without separators or padding, or with one lost leading zero restored.
   * ambiguous: several codes are possible. moved: a code of an earlier edition, replaced by one other code. unknown: does not
   * exist. invalid: not a code
   */
  readonly status: ResolveStatus
  /** The code that is meant */
  readonly hs_code: string | null
  /** Whether the code is one of the longest lines, under which goods are declared */
  readonly declarable: boolean
  /** Number of the longest lines at or below the code */
  readonly lines: number
  /** For an unknown code: the longest existing code above it */
  readonly nearest: string | null
  /** Possible codes, or the successors of an unknown one, most likely first */
  readonly candidates: readonly string[]
  readonly record: HsRecord | null
  /** Why the code is invalid; absent otherwise */
  readonly reason?: string
}

/** At most 65536 bytes */
export interface ResolveRequest {
  readonly codes: readonly string[]
  /** The edition of the codes */
  readonly edition?: string | number
  /**
   * The country whose rates are used instead of those of the common tariff; letter case does not matter. Default: the server's
   * HSAPI_COUNTRY
   */
  readonly country?: string
  /** Uses the country's newest list of this day or earlier; a day before the first list is refused */
  readonly as_of?: string
}

export interface Correlation {
  readonly edition: string
  readonly code: string
  /** same: the only target is the code itself. moved: the only target is another code. split: several targets */
  readonly relation: 'same' | 'moved' | 'split'
  /** Most likely first */
  readonly targets: readonly HsRecord[]
}

export interface NextCorrelation {
  readonly edition: string
  /** A current code */
  readonly code: string
  /** same: the only target has the same number. moved: the only target has another number. split: several targets */
  readonly relation: 'same' | 'moved' | 'split'
  /** Most likely first */
  readonly targets: readonly NextTarget[]
  readonly provisional: true
}

export interface NextTarget {
  /** A code of the next edition */
  readonly hs_code: string
  /**
   * The goods that the target covers. whole: all goods of the current code and no others. old: a part of them and no others. new:
   * all of them, and goods of other codes. both: a part of them, and goods of other codes
   */
  readonly part: 'whole' | 'old' | 'new' | 'both'
  readonly certainty: 'published' | 'derived' | 'uncertain'
}

export interface Dataset {
  readonly edition: string
  readonly version: string
  /** Identifies a build of the data */
  readonly snapshot: string
  readonly records: number
  /** Number of codes for each number of digits */
  readonly levels: { readonly [name: string]: number }
  /** Numbers of digits of the lines under which goods are declared */
  readonly line_digits: readonly number[]
  readonly vat_rate: number
  readonly languages: readonly Language[]
  /** All duty rates of the dataset, in percent */
  readonly rates: readonly number[]
}

export interface Health {
  readonly status: 'ok' | 'starting'
  readonly service: string
  readonly foundation_schema_ready: boolean
  readonly api_version: string
}

export interface TariffEstimate {
  readonly hs_code: string
  readonly product: string
  readonly calculation: Calculation
  /**
   * Says that rates are indicative. If applicable, it also says that the code is inactive, that the goods are prohibited, or
   * which range of rates the lines below the code have
   */
  readonly notes: string
  /** With include=exact: the amounts of calculation as decimal strings */
  readonly exact?: ExactAmounts
}

export interface ExactAmounts {
  readonly declared_value: string
  readonly import_duty_amount: string
  readonly vat_amount: string
  readonly total_duties_taxes: string
  readonly landed_cost: string
}

/** At most 65536 bytes */
export interface InvoiceRequest {
  /** A label of three letters; amounts are not converted */
  readonly currency?: string
  /** Whether to add VAT; by default only if vat_rate is sent */
  readonly include_vat?: boolean
  /**
   * VAT rate in percent, instead of the dataset's. VAT is then added unless include_vat is false. The duty rate does not change;
   * 0 to 100
   */
  readonly vat_rate?: number
  /**
   * The country whose rates are used instead of those of the common tariff; letter case does not matter. Default: the server's
   * HSAPI_COUNTRY
   */
  readonly country?: string
  /** Uses the country's newest list of this day or earlier; a day before the first list is refused */
  readonly as_of?: string
  /** Country of origin of items without their own origin; needs country */
  readonly origin?: string
  /** exact: adds the amounts as decimal strings, which keep every digit */
  readonly include?: readonly 'exact'[]
  readonly items: readonly ShipmentItem[]
}

/** At most 262144 bytes */
export interface ClassifyRequest {
  readonly items: readonly ClassifyItem[]
  /**
   * Number of digits of the candidates; if there is no code of that length below a code, the code itself is a candidate; default
   * 6
   */
  readonly level?: 4 | 6 | 8 | 12
  /** Maximum number of candidates; default 5; 1 to 20 */
  readonly limit?: number
  /**
   * The country whose rates are used instead of those of the common tariff; letter case does not matter. Default: the server's
   * HSAPI_COUNTRY
   */
  readonly country?: string
  /** Uses the country's newest list of this day or earlier; a day before the first list is refused */
  readonly as_of?: string
}

export interface ClassifyItem {
  /** A product title, English or Arabic; 2 to 500 characters */
  readonly text: string
  /** Only codes at or below this code, or at or below one of these codes */
  readonly within?: string | readonly string[]
  /** A code to verify against the text */
  readonly hs_code?: string
  /** The product's SKU; finds a decision in the file of HSAPI_DECISIONS; 0 to 100 characters */
  readonly sku?: string
  /** A GTIN with its check digit; finds a decision in the file of HSAPI_DECISIONS */
  readonly gtin?: string
}

export interface Candidate {
  readonly hs_code: string
  readonly description: Description
  /** Number of digits; 2 to 14 */
  readonly level: number
  readonly tariff_rate: number
  /** The probability that the code is right; at most three decimals; 0 to 1 */
  readonly score: number
  /** Words of the text that support the code */
  readonly matched: readonly string[]
}

export interface ClassifyQuestion {
  readonly text: Description
  readonly answers: readonly ClassifyAnswer[]
}

export interface ClassifyAnswer {
  readonly text: Description
  /** The codes that remain after this answer: send them as within */
  readonly within: readonly string[]
}

export interface Verdict {
  /** agrees: the text supports the code. doubtful: other codes fit better. contradicts: the code does not fit the text */
  readonly status: 'agrees' | 'doubtful' | 'contradicts'
  /** Better candidates, best first */
  readonly against: readonly Candidate[]
}

export interface Decision {
  /** The decided code */
  readonly code: string
  /** Null for a decision for all countries */
  readonly country: string | null
  readonly who: string
  readonly day: string
  readonly why: string
  /**
   * Why the decision no longer applies. old_edition: the code is of an earlier edition, and the first candidates are the codes
   * that replaced it. unknown_code: no edition has the code. prohibited: the import of its goods is prohibited. Null if the
   * decision applies
   */
  readonly problem: 'old_edition' | 'unknown_code' | 'prohibited' | null
}

export interface Classified {
  /** The text as sent */
  readonly text: string
  /**
   * clear: the first candidate is safe to propose. choose: the right code is one of the candidates. ask: a fact is missing;
   * question asks for it. unknown: no code was found, and candidates, if any, are guesses. decided: the company has decided on a
   * code, which is the first candidate; see decision
   */
  readonly status: 'clear' | 'choose' | 'ask' | 'unknown' | 'decided'
  /** Best first */
  readonly candidates: readonly Candidate[]
  /** The question that decides between the candidates; null unless the status is ask */
  readonly question: ClassifyQuestion | null
  /** Whether text and hs_code agree; null if no code was sent */
  readonly verdict: Verdict | null
  /** The missing fact. Present only if the text, such as "parts" or "gift", does not name goods */
  readonly missing?: Description
  /** Only with status decided */
  readonly decision?: Decision
}

export interface Classification {
  /** One result for each item, in order */
  readonly items: readonly Classified[]
}

export interface CostAmounts {
  readonly declared_value: number
  readonly import_duty_amount: number
  readonly vat_amount: number
  readonly total_duties_taxes: number
  readonly landed_cost: number
  readonly excise_amount: number
  readonly fees_amount: number
}

export interface ExactCostAmounts {
  readonly declared_value: string
  readonly import_duty_amount: string
  readonly vat_amount: string
  readonly total_duties_taxes: string
  readonly landed_cost: string
  readonly excise_amount: string
  readonly fees_amount: string
  readonly goods_value?: string
  readonly freight?: string
  readonly insurance?: string
}

export interface Charge {
  readonly kind: 'duty' | 'excise' | 'fee' | 'vat'
  /** Name of the agreement, goods or fee; null if kind is sufficient */
  readonly name: Description | null
  /** Percent of basis; null for an amount per unit or a flat fee */
  readonly rate: number | null
  /** For each unit of basis, in the declared currency */
  readonly unit_amount: number | null
  readonly unit: 'l' | 'u' | 'g' | null
  /** Code of the unit in UN/ECE Recommendation 20, as used in e-invoices; null if it has none */
  readonly unit_unece: string | null
  /** Minimum amount of a fee, in the declared currency; null if there is none */
  readonly minimum: number | null
  /** Maximum amount of a fee, in the declared currency; null if there is none */
  readonly maximum: number | null
  readonly basis: number
  readonly amount: number
  /** Null if the caller sent the rate */
  readonly source: string | null
  readonly certainty: string | null
  /** Date of the record in the source, or the day from which the rate applies */
  readonly date: string | null
}

export interface CountryTerms {
  readonly country: CountryCode
  readonly tariff_rate: number
  readonly rate: RateOrigin
  /** 0 if there is no VAT, or if the law exempts the goods */
  readonly vat_rate: number
  /** Some of the goods, or some users of them, may have another VAT rate */
  readonly vat_may_differ: boolean
  /** Several if the rate depends on the sugar in a drink; empty if there is no excise */
  readonly excise: readonly ExciseTerm[]
  /** Whether codes below this one have other taxes */
  readonly taxes_differ: boolean
  /** Kinds of controls on the goods, including those of all GCC states; include=controls adds their reasons */
  readonly controls: readonly ('prohibited' | 'restricted' | 'permit' | 'conformity')[]
}

export interface ExciseTerm {
  readonly goods: Description
  /** Percent of the value; null for an amount per unit */
  readonly rate: number | null
  /** For each unit, in the country's currency */
  readonly unit_amount: number | null
  readonly unit: 'l' | 'u' | 'g' | null
  /** Code of the unit in UN/ECE Recommendation 20, as used in e-invoices; null if it has none */
  readonly unit_unece: string | null
  readonly currency: string
  /** perhaps: depends on something that the code does not show */
  readonly applies: 'yes' | 'perhaps'
}

export interface OriginAnswer {
  readonly country: string
  readonly agreement: {
    readonly name: Description
    readonly category: string | null
    readonly treatment: 'free' | 'common' | 'outside' | 'prohibited' | 'doubtful'
    /** Proof of origin that customs asks for */
    readonly proof: Description
    readonly source: string
    readonly certainty: string
  } | null
}

export interface Threshold {
  readonly below: number
  readonly currency: string
  readonly duty: 'free'
  readonly vat: 'free' | 'charged' | 'none'
  readonly rule: Description
  readonly source: string
  readonly certainty: string
}

export interface Warning {
  /**
   * prohibited: the country prohibits the import of the goods. partly_prohibited: the country prohibits the import of some goods
   * of the code. rate_unknown: the country's rate is not known; the rate of the common tariff is used. rates_differ: lines below
   * the code have different rates. common_rate_used: the country's list is not known in full; the rate of the common tariff is
   * used. taxes_differ: the codes below this one do not all have the same taxes. excise_on_retail_price: excise depends on the
   * retail price, which is not known; it may be higher than calculated. vat_may_differ: another VAT rate may apply; the standard
   * rate is used. agreement_uncertain: it is not certain which rate an agreement grants for the goods. agreement_unknown: it is
   * not known which rate an agreement grants for the goods; the full rate is used. anti_dumping: an anti-dumping duty on goods of
   * this code and origin is in force but not included in the amounts
   */
  readonly code:
    | 'prohibited'
    | 'partly_prohibited'
    | 'rate_unknown'
    | 'rates_differ'
    | 'common_rate_used'
    | 'taxes_differ'
    | 'excise_on_retail_price'
    | 'vat_may_differ'
    | 'agreement_uncertain'
    | 'agreement_unknown'
    | 'anti_dumping'
  readonly en: string
  readonly ar: string
}

export interface LeftOut {
  /**
   * excise_may_apply: excise that some goods of the code are subject to. excise_needs_sugar: excise that depends on sugar, which
   * was not sent. excise_needs_quantity: excise that depends on a quantity, which was not sent. excise_needs_currency: excise of
   * a fixed amount, which cannot be converted: the declared currency has no fixed exchange rate. fee_may_apply: a fee that some
   * declarations are subject to. fee_needs_currency: a fee whose amounts cannot be converted to the declared currency at a fixed
   * rate. other_agreement: a lower rate under an agreement that estimates do not take into account. trade_remedies: anti-dumping,
   * countervailing and safeguard duties; listed in every estimate. exemptions: exemptions for an importer or a project; listed in
   * every estimate
   */
  readonly code:
    | 'excise_may_apply'
    | 'excise_needs_sugar'
    | 'excise_needs_quantity'
    | 'excise_needs_currency'
    | 'fee_may_apply'
    | 'fee_needs_currency'
    | 'other_agreement'
    | 'trade_remedies'
    | 'exemptions'
  readonly en: string
  readonly ar: string
}

export interface CountryEstimate {
  readonly hs_code: string
  readonly product: string
  readonly calculation: CountryCalculation
  readonly notes: string
  readonly country: CountryCode
  /** Date of the country's list; null if it has none */
  readonly list: string | null
  /** Each charge with its basis and source */
  readonly charges: readonly Charge[]
  /** What excise depends on in addition to the value: a quantity in this unit, and sugar */
  readonly excise_inputs: {
    readonly unit: 'l' | 'u' | 'g'
    readonly sugar: boolean
  } | null
  readonly origin: OriginAnswer | null
  /** The rule by which a parcel of this value is free of duty; the amounts do not take it into account */
  readonly threshold: Threshold | null
  /** Amounts rounded to the decimals of the currency; totals are sums of rounded amounts */
  readonly rounded: CostAmounts
  readonly converted?: Converted
  /** Reasons to doubt the estimate */
  readonly warnings: readonly Warning[]
  /** Charges and reliefs that the amounts leave out */
  readonly not_included: readonly LeftOut[]
  /** With include=exact: the amounts of calculation as decimal strings */
  readonly exact?: ExactCostAmounts
}

export interface CountryInvoice {
  readonly items: readonly (CountryEstimate | InvoiceItemError)[]
  readonly totals: CostAmounts
  /** Fees charged once for the declaration; totals include them and their VAT */
  readonly fees: readonly Charge[]
  readonly rounded: CostAmounts
  /** With include=exact: the amounts of totals as decimal strings */
  readonly exact?: ExactCostAmounts
}

export interface InvoiceItemError {
  /** The code as sent */
  readonly hs_code: string
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
  }
}

export interface Invoice {
  readonly items: readonly (TariffEstimate | InvoiceItemError)[]
  /** Sums over the items that could be calculated */
  readonly totals: {
    readonly declared_value: number
    readonly import_duty_amount: number
    readonly vat_amount: number
    readonly total_duties_taxes: number
    readonly landed_cost: number
  }
  /** With include=exact: the amounts of totals as decimal strings */
  readonly exact?: ExactAmounts
}

export interface Extras {
  /** With include=path: the codes above, from the chapter down to the parent */
  readonly path: readonly PathStep[]
  /**
   * With include=editions: by year, the codes that correspond to the first six digits in earlier editions and in the next one;
   * empty lists for shorter codes
   */
  readonly editions: { readonly [name: string]: readonly string[] }
  readonly rate: RateOrigin
  /**
   * With include=unit: the unit in which the quantity is declared; null if the dataset has none, or if the codes below have
   * different units
   */
  readonly unit: Unit | null
  /** With include=notes: legal notes of the code, of the codes above it and of its section, nearest scope first, at most 20 */
  readonly notes: NoteList
  /**
   * With include=see_also: goods that people look for here and the codes that they belong to; from the code, from the codes above
   * it and, unless it is a chapter, from those below it, at most 20
   */
  readonly see_also: PointerList
  /** With include=controls: import controls on the goods in all GCC states, and in the country of the request */
  readonly controls: Controls
  /** With include=examples: everyday names of the code, best known first */
  readonly examples: Examples
  /**
   * With include=short: a short description for couriers and shops, of at most short_max characters, never cut within a word;
   * null unless there is one in each language
   */
  readonly short: Description | null
}

export interface LookupExtras {
  /** With include=path: the codes above, from the chapter down to the parent */
  readonly path: readonly PathStep[]
  /**
   * With include=editions: by year, the codes that correspond to the first six digits in earlier editions and in the next one;
   * empty lists for shorter codes
   */
  readonly editions: { readonly [name: string]: readonly string[] }
  readonly rate: RateOrigin
  /**
   * With include=unit: the unit in which the quantity is declared; null if the dataset has none, or if the codes below have
   * different units
   */
  readonly unit: Unit | null
  /** With include=notes: all legal notes of the code, of the codes above it and of its section, nearest scope first */
  readonly notes: AllNotes
  /**
   * With include=see_also: goods that people look for here and the codes that they belong to; from the code, from the codes above
   * it and, unless it is a chapter, from those below it, at most 20
   */
  readonly see_also: PointerList
  /** With include=controls: import controls on the goods in all GCC states, and in the country of the request */
  readonly controls: Controls
  /** With include=examples: everyday names of the code, best known first */
  readonly examples: Examples
  /**
   * With include=short: a short description for couriers and shops, of at most short_max characters, never cut within a word;
   * null unless there is one in each language
   */
  readonly short: Description | null
  /** With include=children: the codes one level below; the first page */
  readonly children: RecordPage
  /** With include=siblings: all codes with the same parent, this one included; empty for a chapter; the first page */
  readonly siblings: RecordPage
  /** With include=lines: the lines with the most digits at or below the code; the first page */
  readonly lines: RecordPage
  /** With include=countries: duty, VAT, excise and controls of every country of the dataset, in force today */
  readonly countries: readonly CountryTerms[]
}

export interface SearchExtras {
  /** With include=path: the codes above, from the chapter down to the parent */
  readonly path: readonly PathStep[]
  /**
   * With include=editions: by year, the codes that correspond to the first six digits in earlier editions and in the next one;
   * empty lists for shorter codes
   */
  readonly editions: { readonly [name: string]: readonly string[] }
  readonly rate: RateOrigin
  /**
   * With include=unit: the unit in which the quantity is declared; null if the dataset has none, or if the codes below have
   * different units
   */
  readonly unit: Unit | null
  /** With include=notes: legal notes of the code, of the codes above it and of its section, nearest scope first, at most 20 */
  readonly notes: NoteList
  /**
   * With include=see_also: goods that people look for here and the codes that they belong to; from the code, from the codes above
   * it and, unless it is a chapter, from those below it, at most 20
   */
  readonly see_also: PointerList
  /** With include=controls: import controls on the goods in all GCC states, and in the country of the request */
  readonly controls: Controls
  /** With include=examples: everyday names of the code, best known first */
  readonly examples: Examples
  /**
   * With include=short: a short description for couriers and shops, of at most short_max characters, never cut within a word;
   * null unless there is one in each language
   */
  readonly short: Description | null
  /**
   * With include=matched: the everyday name most similar to the query; null if the description is more similar, or if q is a code
   */
  readonly matched: Name | null
}

export interface RateOrigin {
  /** The code that sets the rate */
  readonly from: string
  /** Null if the dataset does not name the source */
  readonly source: string | null
  /** derived: the list does not have the line, but the lines around it have this rate */
  readonly certainty: 'published' | 'general' | 'reported' | 'derived' | 'uncertain' | null
  /** Lowest rate of the lines at or below the code */
  readonly min: number
  /** Highest rate of the lines at or below the code */
  readonly max: number
  /**
   * prohibited: the country's list, or a control of the country or of all GCC states, prohibits the goods. unknown: the country's
   * list has no import rate, and the rate is the common tariff's
   */
  readonly status: 'normal' | 'prohibited' | 'unknown'
  /** Only with the rates of a country */
  readonly country?: CountryCode
  /** Date of the country's list; null if the common tariff sets the rate */
  readonly list?: string | null
  /** Date of the record in that list */
  readonly date?: string | null
}

/** With include=examples: everyday names of the code, best known first */
export interface Examples {
  readonly en: readonly string[]
  readonly ar: readonly string[]
}

export interface ListedRecord {
  readonly hs_code: string
  readonly description: Description
  /** Number of digits; 2 to 14 */
  readonly level: number
  /** A 1 followed by the parent's digits; null if the code has no parent */
  readonly parent_id: number | null
  /** Import duty in percent, of the common tariff or of the country that the request names */
  readonly tariff_rate: number
  readonly is_active: boolean
  readonly rate?: RateOrigin
}

export interface ChapterCount {
  readonly hs_code: string
  readonly description: Description
  /** Number of results with this value; 1 to 9007199254740991 */
  readonly count: number
}

export interface LevelCount {
  /** 2 to 14 */
  readonly level: number
  /** Number of results with this value; 1 to 9007199254740991 */
  readonly count: number
}

export interface RateCount {
  readonly rate: number
  /** Number of results with this value; 1 to 9007199254740991 */
  readonly count: number
}

/**
 * found: the code exists as sent. normalised: it exists without separators or padding, or with one lost leading zero restored.
 * ambiguous: several codes are possible. moved: a code of an earlier edition, replaced by one other code. unknown: does not
 * exist. invalid: not a code
 */
export type ResolveStatus = 'found' | 'normalised' | 'ambiguous' | 'moved' | 'unknown' | 'invalid'

export type ChangeKind = 'added' | 'removed' | 'rate' | 'active' | 'words' | 'country_rate' | 'taxes' | 'controls' | 'unit'

export interface Calculation {
  readonly declared_value: number
  readonly currency: string
  readonly import_duty_rate: number
  readonly import_duty_amount: number
  readonly vat_rate: number
  readonly vat_amount: number
  readonly total_duties_taxes: number
  readonly landed_cost: number
}

export interface CountryCalculation {
  /** CIF: goods, freight and insurance */
  readonly declared_value: number
  readonly currency: string
  readonly import_duty_rate: number
  readonly import_duty_amount: number
  readonly vat_rate: number
  /** Calculated on the CIF value, duty, excise and fees, as the law of the country requires */
  readonly vat_amount: number
  /** Duty, excise, fees and VAT */
  readonly total_duties_taxes: number
  readonly landed_cost: number
  readonly excise_amount: number
  readonly fees_amount: number
  /** Only if freight or insurance was sent */
  readonly goods_value?: number
  readonly freight?: number
  readonly insurance?: number
}

export interface Converted {
  readonly currency: string
  readonly rate: number
  readonly sources: readonly string[]
  readonly certainty: string
  readonly declared_value: number
  readonly import_duty_amount: number
  readonly vat_amount: number
  readonly total_duties_taxes: number
  readonly landed_cost: number
  readonly excise_amount: number
  readonly fees_amount: number
}

export interface ShipmentTerms {
  /** Country of origin, an ISO code: a trade agreement with it may lower the duty */
  readonly origin?: string
  /** Freight to the border; value is then the value of the goods alone */
  readonly freight?: number | string
  readonly insurance?: number | string
  /** Quantity of the goods, for excise charged by litre, piece or gram */
  readonly quantity?: number | string
  readonly unit?: 'l' | 'u' | 'g'
  /** Grams of sugar per 100 ml, for excise on drinks */
  readonly sugar?: number | string
}

export interface ShipmentItem {
  readonly hs_code: string
  /** 0.01 to 999999999999.99; as a string if your JSON writer would round it */
  readonly value: number | string
  /** Country of origin, an ISO code: a trade agreement with it may lower the duty */
  readonly origin?: string
  /** Freight to the border; value is then the value of the goods alone */
  readonly freight?: number | string
  readonly insurance?: number | string
  /** Quantity of the goods, for excise charged by litre, piece or gram */
  readonly quantity?: number | string
  readonly unit?: 'l' | 'u' | 'g'
  /** Grams of sugar per 100 ml, for excise on drinks */
  readonly sugar?: number | string
}

export interface InvoiceItem {
  readonly hs_code: string
  /** 0.01 to 999999999999.99; as a string if your JSON writer would round it */
  readonly value: number | string
}

export type ErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'api_key_expired'
  | 'rate_limit_exceeded'
  | 'origin_not_allowed'
  | 'invalid_code'
  | 'invalid_value'
  | 'query_too_short'
  | 'invalid_parameter'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'internal_error'
  | 'db_unavailable'
  | 'busy'

export interface ErrorDetails {
  /** The invalid parameter */
  readonly parameter?: string
  /** The known name nearest to an unknown parameter */
  readonly did_you_mean?: string
  /** The longest existing code above */
  readonly nearest?: string
  /** Successors of a code of an earlier edition, most likely first */
  readonly moved_to?: readonly string[]
  /** For a code of the next edition: the current codes whose goods it takes over */
  readonly comes_from?: readonly string[]
  /** Identifies an internal error in the server's log */
  readonly request_id?: string
}

export type CountryCode = 'AE' | 'SA' | 'BH' | 'OM' | 'QA' | 'KW'

export type Language = 'en' | 'ar'

export type Include = 'path' | 'editions' | 'rate' | 'unit' | 'notes' | 'see_also' | 'controls' | 'examples' | 'short'

export type LookupInclude =
  | 'path'
  | 'editions'
  | 'rate'
  | 'unit'
  | 'notes'
  | 'see_also'
  | 'controls'
  | 'examples'
  | 'short'
  | 'children'
  | 'siblings'
  | 'lines'
  | 'countries'

export type SearchInclude =
  | 'path'
  | 'editions'
  | 'rate'
  | 'unit'
  | 'notes'
  | 'see_also'
  | 'controls'
  | 'examples'
  | 'short'
  | 'matched'

export type ResultField = 'hs_code' | 'description' | 'description.en' | 'description.ar' | 'tariff_rate'

export type RecordField =
  | 'hs_code'
  | 'description'
  | 'description.en'
  | 'description.ar'
  | 'level'
  | 'parent_id'
  | 'tariff_rate'
  | 'is_active'

export type Facet = 'chapter' | 'level' | 'rate'
