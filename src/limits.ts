/** The bounds that callers meet, each stated once: validation, the OpenAPI document and help import them. */

/** Digits of a code. */
export const CODE_DIGITS_MIN = 2
export const CODE_DIGITS_MAX = 14
/** Below a 12-digit line nothing exists to list. */
export const PARENT_DIGITS_MAX = 12

/** Records on a page. */
export const PAGE_LIMIT_MAX = 50
export const CHILDREN_LIMIT_DEFAULT = 50
export const SEARCH_LIMIT_DEFAULT = 20

/** What records may tell beside their own fields. */
export const INCLUDES = ['path', 'editions', 'rate'] as const

export const LINES_LIMIT_DEFAULT = 50
/** Digits of a code that a search can be held below. */
export const WITHIN_DIGITS: readonly number[] = [2, 4, 6]

/** Codes to be resolved at once: in a query, and in a body. */
export const RESOLVE_QUERY_MAX = 50
export const RESOLVE_BODY_MAX = 1_000
/** What is longer is no code, whatever stands between its digits. */
export const RESOLVE_CHARS_MAX = 64

/** Items of an invoice. */
export const INVOICE_ITEMS_MAX = 100
/** A VAT rate in percent. */
export const VAT_RATE_MAX = 100
export const VAT_RATE_PLACES_MAX = 4

/** Characters of a search, counted in code points. */
export const QUERY_CHARS_MIN = 2
export const QUERY_CHARS_MAX = 200
/** A longer query is judged by its first words: it bounds the work of a hostile one. */
export const QUERY_WORDS_MAX = 24
/** … and words that were run together are taken apart up to so many in all: one for each bit of a whole number but the first. */
export const QUERY_PARTS_MAX = 31

/** Characters of what is completed, counted in code points. */
export const SUGGEST_CHARS_MIN = 1
export const SUGGEST_CHARS_MAX = 60
export const SUGGEST_LIMIT_MAX = 20
export const SUGGEST_LIMIT_DEFAULT = 10

/** The languages that records are described in. */
export const LANGUAGES = ['en', 'ar'] as const

/** The code lengths that a search can be held to. */
export const LEVELS: readonly number[] = [2, 4, 6, 8, 10, 12]

/** A declared value. */
export const VALUE_MIN = '0.01'
export const VALUE_MAX = '999999999999.99'
export const VALUE_DIGITS_MAX = 15
export const CURRENCY_DEFAULT = 'USD'

/** Bytes of a request's body, where a path takes one. */
export const BODY_BYTES_MAX = 64 * 1024
/** Pieces that it may arrive in: 16 bytes each, where it is as long as may be. */
export const BODY_PIECES_MAX = 4_096
/** Time that it may take; uWebSockets.js closes a connection whose body takes 8 to 12 seconds. */
export const BODY_MS_MAX = 7_000
/** Bytes held of unfinished bodies, in each thread: of all of them, and of those of one key. */
export const BODIES_BYTES_MAX = 32 * 1024 * 1024
export const KEY_BODIES_BYTES_MAX = 2 * 1024 * 1024

/** What an agent is shown at once: few, since all of it is read. */
export const AGENT_RESULTS_MAX = 20
export const AGENT_RESULTS_DEFAULT = 8
export const AGENT_CHILDREN_MAX = 50
export const AGENT_CHILDREN_DEFAULT = 20
export const AGENT_CODES_MAX = 50
export const AGENT_CANDIDATES_MAX = 10

/** Rows that `hsapi feed` writes. */
export const FEED_ROWS_MAX = 100_000_000
export const FEED_ROWS_DEFAULT = 10_000

/** Connections that `hsapi replay` keeps open, and how much faster than its own pace a log may be sent. */
export const REPLAY_CONNECTIONS_MAX = 1_000
export const REPLAY_CONNECTIONS_DEFAULT = 64
export const REPLAY_SPEED_MAX = 10_000
