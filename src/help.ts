/** What --help prints. */
import { defaultDataDir } from './data-home.js'
import {
  CURRENCY_DEFAULT,
  FEED_ROWS_DEFAULT,
  INCLUDES,
  LEVELS,
  PAGE_LIMIT_MAX,
  REPLAY_CONNECTIONS_DEFAULT,
  REPLAY_CONNECTIONS_MAX,
  REPLAY_SPEED_MAX,
  SEARCH_LIMIT_DEFAULT,
  WITHIN_DIGITS,
} from './limits.js'
import { TIERS, type Tier } from './quotas/tiers.js'
import { settingsHelp } from './settings/describe.js'
import { snapshotToBuild } from './snapshot-in-use.js'

const DATA_DIR = defaultDataDir(process.env)

/** As `hsapi build` decides it where HSAPI_SNAPSHOT is not set. */
const BUILD_OUT = snapshotToBuild({ snapshot: undefined, dataDir: DATA_DIR })

const tier = (name: Tier) => `${name} (${TIERS[name].perMinute} a minute, ${TIERS[name].perDay} a day)`

const KEYS = `Usage: hsapi keys create --tier free|basic|pro [options]
       hsapi keys list [--json]
       hsapi keys show ID [--json]
       hsapi keys revoke ID [--json]
       hsapi keys rotate ID [--json]
       hsapi keys move --to redis|file [--json]

Keys are kept as hashes, in HSAPI_DATA_DIR (${DATA_DIR}) or, with HSAPI_KEYS=redis, in the Redis at HSAPI_REDIS_URL. A running
server sees a change within a second. A key itself is shown once, when it is created or rotated.

show tells, besides what list does, how many requests were counted today. move copies all keys to Redis, or from there
to HSAPI_DATA_DIR, and takes none away; of a key that both know the later news counts. It may be run again at any time.

Options of create:
  --tier TIER       ${tier('free')}, ${tier('basic')}
                    or ${tier('pro')}
  --name NAME       a name to know it by
  --expires DAY     the last day it is good, YYYY-MM-DD (UTC), today or later, or never (default)
  --per-minute N    a limit of its own instead of the tier's
  --per-day N       a limit of its own instead of the tier's
  --unlimited       no limits at all, instead: nothing is counted for it. For benchmarks
  --json            print one JSON object`

const SNAPSHOT =
  '--snapshot FILE  the compiled dataset (HSAPI_SNAPSHOT, else hs.snapshot in HSAPI_DATA_DIR, else the shipped one)'

export const HELP = `hsapi: HS code lookup, bilingual search and duty estimates, over HTTP and on the command line

Usage: hsapi COMMAND [options]

  serve    answer requests
  reload   have running servers load their snapshot anew
  health   tell whether a server is well
  engine   tell what answers HTTP here, why, and how to get the fast one
  lookup   show a code: its words, its rate, what stands above and below it
  search   find codes by words, in English or Arabic
  tariff   estimate duty, VAT and landed cost
  enrich   add codes, words and rates to a CSV or XLSX file
  diff     tell what differs between two snapshots
  mcp      answer an AI agent, by the Model Context Protocol
  feed     write codes, words and URLs for load tools
  replay   send a recorded access log again
  build    compile the dataset into the snapshot that serve loads
  check    tell what is wrong with a dataset
  import   make a dataset from an official tariff file
  keys     create, list, show, revoke, rotate and move API keys

"hsapi COMMAND --help" tells more about each; --version prints the version.

${settingsHelp(process.env)}`

export const COMMAND_HELP: ReadonlyMap<string, string> = new Map(
  Object.entries({
    serve: `Usage: hsapi serve

Loads the snapshot and answers requests until SIGTERM or SIGINT; SIGHUP loads the snapshot anew (on a
terminal it ends the server). With no keys yet it makes one free key and prints it once.

${settingsHelp(process.env)}`,
    reload: `Usage: hsapi reload

Asks the servers of HSAPI_DATA_DIR (${DATA_DIR}) to load their snapshot anew and waits until they do. A snapshot that
cannot be served leaves the old one in its place; then the exit code is 2. SIGHUP does the same without an answer.`,
    health: `Usage: hsapi health [--url URL]

Asks the server of this environment (HSAPI_HOST, HSAPI_PORT; HSAPI_SOCKET, HSAPI_TLS_CERT) for /api/v1/health, for 2 seconds
at most, and prints one line. Exit code 0 when it is ok, 1 when it is starting, unwell or not there.

  --url URL  ask the server at this address, such as http://127.0.0.1:8080, instead`,
    engine: `Usage: hsapi engine [--fetch] [--json]

Tells which engine "hsapi serve" would use here, why, and, where that is node:http, what is given up and how to get
uWebSockets.js. HSAPI_ENGINE counts.

  --fetch  take the uWebSockets.js binary out of an npm package, by its checksum, on platforms that have none of their own
           (Linux on 64-bit Arm); needs npm and tar
  --json   one object: engine, version, because, platform, node, glibc, advice`,
    build: `Usage: hsapi build [--dataset DIR] [--out FILE] [--if-changed] [--force]

Checks that the dataset can be compiled, and compiles it. Every defect is listed with its file and line; then nothing is written.
The house rules of our own dataset are left to "hsapi check".

  --dataset DIR  the dataset (dataset)
  --out FILE     the snapshot to write (HSAPI_SNAPSHOT, else ${BUILD_OUT})
  --if-changed   do nothing where the snapshot was made from this very dataset, by this very program
  --force        write even into the folder of an installed package`,
    check: `Usage: hsapi check [--dataset DIR]

Lists every defect of a dataset with its file and line. Exit code 2 if there is one.

  --dataset DIR  the dataset (dataset)`,
    import: `Usage: hsapi import FILE --layout gcc12|us-hts|eu-taric|generic --out DIR [options]

Reads a CSV or XLSX file (first sheet) and writes a dataset that check and build accept.

  --layout NAME        gcc12     12 padded digits, dashes for depth, Arabic and English
                       us-hts    dotted codes with indents, rates such as Free and 6.4%
                       eu-taric  10 padded digits with a level per row
                       generic   any table with a column of codes
  --out DIR            the dataset to write; must not exist, or be empty
  --map ROLE=COLUMN,…  which column holds code, en, ar, rate or indent, by header or by number from 1
  --rates FILE         a CSV of codes and percentages that take the place of the file's rates
  --default-rate N     percent for codes without a rate (gcc12: 5, else 0)
  --allow-missing L    en, ar or en,ar: import although descriptions in that language are missing
  --self-contained     complete bare "Other" lines from their context and siblings
  --edition NAME       what to call the dataset
  --vat N              VAT in percent (5)`,
    lookup: `Usage: hsapi lookup CODE [options]

Shows a code: its words, the codes above it, its rate and where that comes from, how much stands below it, and what it
was in earlier editions. Dots, spaces and a lost leading zero do not matter; what was made of them is told on standard error.
A code that is not there: exit code 1, with what became of it and the nearest code above it on standard error.

  --lang en|ar     the language of the codes above (en)
  --json           the record as /api/v1/hs-codes/CODE gives it in data
  --include LIST   with --json: ${INCLUDES.join(', ')}, as there
  ${SNAPSHOT}`,
    search: `Usage: hsapi search WORDS... [options]

Finds codes by words or by their first digits, the best first. No quotes are needed around several words. Nothing found:
exit code 1.

  --level N        only codes of so many digits: ${LEVELS.join(', ')}
  --within CODE    only codes at or below that one of ${WITHIN_DIGITS.join(', ')} digits
  --limit N        so many at most, 1 to ${PAGE_LIMIT_MAX} (${SEARCH_LIMIT_DEFAULT})
  --lang en|ar     the language of the table (en); words are looked for in both
  --json           a list, as /api/v1/search gives it in data
  --include LIST   with --json: ${INCLUDES.join(', ')}, as there
  ${SNAPSHOT}`,
    tariff: `Usage: hsapi tariff CODE VALUE [options]

Estimates import duty, VAT and landed cost of goods of a code and a CIF value, exactly and without rounding. CODE is read as
by lookup.

  --vat [RATE]     with VAT: the dataset's, or so many percent
  --currency ABC   what to call the currency (${CURRENCY_DEFAULT}); nothing is converted
  --json           as /api/v1/tariff/calculate gives it in data
  ${SNAPSHOT}`,
    enrich: `Usage: hsapi enrich FILE --column NAME --out FILE [options]

Reads the codes in a column of a CSV or XLSX file (first sheet) and writes the table anew with six columns at its end:
hs_status, hs_code, hs_description_en, hs_description_ar, hs_rate and hs_candidates. Rows whose code cannot be read are
counted in the summary and are no error. The input is never written to, and the output is there whole or not at all.

  --column NAME    the column of codes, by its header (letter case does not matter) or its number from 1
  --out FILE       the file to write: .csv or .xlsx, whatever the input is
  --edition YEAR   the edition of the codes in the file: 2022, 2017 or 2012 (the dataset's own)
  --lines          where only one line stands below a code, give that line
  --excel          CSV for Excel: a byte-order mark first, and a tab before each added code, in quotes, so that Excel keeps it
                   as text with its zeros. Not needed for XLSX, where codes are text
  --prefix TEXT    what the added columns' names begin with (hs_)
  --separator S    comma, semicolon or tab, where the header does not show it
  --force          replace FILE if it is there already
  ${SNAPSHOT}`,
    mcp: `Usage: hsapi mcp [--snapshot FILE]

Answers an AI agent by the Model Context Protocol, over standard input and output, from the snapshot alone: no server, no
keys. A host such as Claude Desktop, Cursor or VS Code starts it; the README has the lines to put into its settings. It ends
when standard input does. What it has to say to people goes to standard error.

  ${SNAPSHOT}`,
    diff: `Usage: hsapi diff OLD NEW [--json]

Tells what differs between two snapshots: codes added and removed, rates changed, codes switched on or off, words changed.
How many first, then each. Lines of zeros that only repeat another code are not told again. The exit code is 0 either way.

  --json           one object: old, new, added, removed, words, rates, active`,
    feed: `Usage: hsapi feed --kind codes|words|tariff|urls [options]

Writes rows for load tools, drawn from the snapshot: to standard output, as fast as it is read, or to a file. The same
seed, options and snapshot give the same bytes.

  --kind KIND      codes   hs_code, level
                   words   q, lang, hs_code: what people type, with the code that is its home
                   tariff  hs_code, value, currency, include_vat, and the landed_cost that must come back
                   urls    kind, method, url, key, status: a realistic mix of requests (62 % lookups, 20 % searches, 8 %
                           estimates, 6 % pages of children, 4 % mistakes), with the status that each is answered with;
                           key is own, or unknown for those to be sent with a wrong one
  --count N        rows (${FEED_ROWS_DEFAULT})
  --seed N         what chance begins with (1)
  --spread NAME    zipf: few are drawn often and many seldom; uniform: all alike (zipf)
  --lang LANG      words and urls: searches in en, ar or both (both)
  --format NAME    csv, jsonl; of urls also list (a URL a line) and vegeta (targets), both without wrong keys (csv)
  --url URL        urls: stands before every path, such as http://127.0.0.1:8080
  --no-401         urls: none with a wrong key
  --out FILE       the file to write; it is there whole or not at all
  --force          replace FILE if it is there already
  ${SNAPSHOT}`,
    replay: `Usage: hsapi replay ACCESS_LOG --url URL --key KEY [options]

Sends the GET and HEAD requests of an access log again (HSAPI_ACCESS_LOG=json, or the combined form that nginx and others
write; - is standard input) and holds each answer's status against the recorded one. Other methods are skipped and counted:
their bodies are not in a log. What was refused with 401 is sent without a key, all else with KEY; a log has no keys.
A 304 may be a 200 now, and what was refused with 429 or 5xx may be answered. Exit code 1 where an answer is missing or differs.

  --url URL         the server to ask, http or https
  --key KEY         the API key to ask with
  --speed N         so many times its own pace, up to ${REPLAY_SPEED_MAX}, or max: as fast as answers come (1)
  --connections N   at most so many at once, up to ${REPLAY_CONNECTIONS_MAX} (${REPLAY_CONNECTIONS_DEFAULT})
  --errors SHARE    so many may differ or be missing, such as 0.1% (0)
  --dry-run         tell what would be sent, and send nothing
  --json            the summary as one JSON object`,
    keys: KEYS,
    'keys create': KEYS,
    'keys list': KEYS,
    'keys show': KEYS,
    'keys revoke': KEYS,
    'keys rotate': KEYS,
    'keys move': KEYS,
  }),
)
