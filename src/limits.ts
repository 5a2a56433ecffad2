/** Every limit of the API and the commands, for validation, the OpenAPI document and `--help`. */

export const CODE_DIGITS_MIN = 2
export const CODE_DIGITS_MAX = 14
/** A longer code has no children. */
export const PARENT_DIGITS_MAX = 12

export const PAGE_LIMIT_MAX = 50
export const CHILDREN_LIMIT_DEFAULT = 50
export const SEARCH_LIMIT_DEFAULT = 20

/** Values of `include` that every record accepts; a lookup and a search accept more. */
export const INCLUDES = ['path', 'editions', 'rate', 'unit', 'notes', 'see_also', 'controls', 'examples', 'short'] as const
export const LOOKUP_INCLUDES = [...INCLUDES, 'children', 'siblings', 'lines', 'countries'] as const
export const SEARCH_INCLUDES = [...INCLUDES, 'matched'] as const
export const ESTIMATE_INCLUDES = ['exact'] as const

export const FACETS = ['chapter', 'level', 'rate'] as const
const WORDS_FIELDS = ['description', 'description.en', 'description.ar'] as const
/** Values of `fields` for search results, and for the records of a list. */
export const RESULT_FIELDS = ['hs_code', ...WORDS_FIELDS, 'tariff_rate'] as const
export const RECORD_FIELDS = ['hs_code', ...WORDS_FIELDS, 'level', 'parent_id', 'tariff_rate', 'is_active'] as const

/** Maximum searches in a body, and the default number of results of each search. */
export const SEARCHES_MAX = 50
export const SEARCHES_LIMIT_DEFAULT = 5
/** Maximum results of all searches in a body with `include`, which can make a result fifty times as long. */
export const SEARCHES_INCLUDING_MAX = 250

/** Maximum everyday names of a code, per language. */
export const EXAMPLES_MAX = 12

/** Length of a short description in code points. Most couriers accept the default. */
export const SHORT_CHARS_DEFAULT = 35
export const SHORT_CHARS_MIN = 10
export const SHORT_CHARS_MAX = 200

/** Maximum notes of each record in a list (a lookup has all of them), and maximum pointers of a record. */
export const NOTES_MAX = 20
export const SEE_ALSO_MAX = 20

export const LINES_LIMIT_DEFAULT = 50
export const CHANGES_LIMIT_DEFAULT = 50
/** Maximum codes in one request for changes. */
export const CHANGES_CODES_MAX = 100
export const WITHIN_DIGITS: readonly number[] = [2, 4, 6]

/** Maximum codes in a query, and in a body. */
export const RESOLVE_QUERY_MAX = 50
export const RESOLVE_BODY_MAX = 1_000
/** A longer text cannot be a code, even with separators. */
export const RESOLVE_CHARS_MAX = 64

export const INVOICE_ITEMS_MAX = 100
export const CLASSIFY_ITEMS_MAX = 100
/** Length of a title in code points. */
export const CLASSIFY_CHARS_MIN = 2
export const CLASSIFY_CHARS_MAX = 500
/** Maximum codes in `within`, which restricts the candidates of an item. */
export const CLASSIFY_WITHIN_MAX = 20
export const CLASSIFY_LEVELS = [4, 6, 8, 12] as const
export const CLASSIFY_LEVEL_DEFAULT = 6
export const CLASSIFY_LIMIT_MAX = 20
export const CLASSIFY_LIMIT_DEFAULT = 5
/** Maximum requests with several items that a thread works on at the same time: for all keys, and for one key. */
export const BATCHES_MAX = 64
export const KEY_BATCHES_MAX = 16

/** Maximum VAT rate in percent, and maximum number of its decimals. */
export const VAT_RATE_MAX = 100
export const VAT_RATE_PLACES_MAX = 4

/** Length of a query in code points. */
export const QUERY_CHARS_MIN = 2
export const QUERY_CHARS_MAX = 200
/** Further words are ignored, which bounds the work of a hostile query. */
export const QUERY_WORDS_MAX = 24
/** Maximum words after splitting joined words; each word has a bit in a positive 32-bit integer. */
export const QUERY_PARTS_MAX = 31

/** Length of typed text in code points. */
export const SUGGEST_CHARS_MIN = 1
export const SUGGEST_CHARS_MAX = 60
export const SUGGEST_LIMIT_MAX = 20
export const SUGGEST_LIMIT_DEFAULT = 10

/** Maximum number of candidates in a row of a table. */
export const ENRICH_CANDIDATES_MAX = 5
/** Maximum number of texts that a command reads from standard input; `enrich` reads longer lists from a file. */
export const CLASSIFY_LINES_MAX = 10_000

export const LANGUAGES = ['en', 'ar'] as const

export const LEVELS: readonly number[] = [2, 4, 6, 8, 10, 12]

export const VALUE_MIN = '0.01'
export const VALUE_MAX = '999999999999.99'
export const VALUE_DIGITS_MAX = 15
export const CURRENCY_DEFAULT = 'USD'

/** Maximum grams of sugar per 100 ml. */
export const SUGAR_MAX = 100

export const BODY_BYTES_MAX = 64 * 1024
/** A body counts as at least one request for each block of this size; the last block may be incomplete. */
export const BODY_BYTES_PER_REQUEST = 8 * 1024
/** Maximum size of a body of titles to classify, which may be larger than any other body. */
export const CLASSIFY_BODY_BYTES_MAX = 256 * 1024
/** Maximum chunks of a body. */
export const BODY_PIECES_MAX = 4_096
/** Maximum time to receive a body. Shorter than the 8 to 12 seconds after which uWebSockets.js closes the connection. */
export const BODY_MS_MAX = 7_000
/** Maximum buffered bytes of unfinished bodies per thread: for all keys, and for one key. */
export const BODIES_BYTES_MAX = 32 * 1024 * 1024
export const KEY_BODIES_BYTES_MAX = 2 * 1024 * 1024

/** Agents get few results, because a model reads every result. */
export const AGENT_RESULTS_MAX = 20
export const AGENT_RESULTS_DEFAULT = 8
export const AGENT_CHILDREN_MAX = 50
export const AGENT_CHILDREN_DEFAULT = 20
export const AGENT_NOTES_MAX = 4
export const AGENT_SEE_ALSO_MAX = 5
export const AGENT_CODES_MAX = 50
/** Maximum texts to classify, or pairs to verify. */
export const AGENT_ITEMS_MAX = 20
export const AGENT_COMPARE_MIN = 2
export const AGENT_COMPARE_MAX = 6
export const AGENT_CANDIDATES_MAX = 10

export const FEED_ROWS_MAX = 100_000_000
export const FEED_ROWS_DEFAULT = 10_000

export const REPLAY_CONNECTIONS_MAX = 1_000
export const REPLAY_CONNECTIONS_DEFAULT = 64
export const REPLAY_SPEED_MAX = 10_000
