/** What --help prints. */

const ENVIRONMENT = `Environment:
  HSAPI_HOST      address to listen on (127.0.0.1)
  HSAPI_PORT      port to listen on (8080; 0 takes a free one)
  HSAPI_DATA_DIR  directory of keys and counters (data)
  HSAPI_SNAPSHOT  the compiled dataset (dist/hs.snapshot)`

const KEYS = `Usage: hsapi keys create --tier free|basic|pro [options]
       hsapi keys list [--json]
       hsapi keys show ID [--json]
       hsapi keys revoke ID [--json]
       hsapi keys rotate ID [--json]

Keys are kept in HSAPI_DATA_DIR (data), as hashes. A running server sees a change within a second.
A key itself is shown once, when it is created or rotated.

Options of create:
  --tier TIER       free (30 a minute, 1000 a day), basic (60, 5000) or pro (200, 50000)
  --name NAME       a name to know it by
  --expires DAY     the last day it is good, YYYY-MM-DD (UTC), or never (default)
  --per-minute N    a limit of its own instead of the tier's
  --per-day N       a limit of its own instead of the tier's
  --json            print one JSON object`

export const HELP = `hsapi: HS code lookup, bilingual search and duty estimates over HTTP

Usage: hsapi COMMAND [options]

  serve    answer requests
  build    compile the dataset into the snapshot that serve loads
  check    tell what is wrong with a dataset
  keys     create, list, show, revoke and rotate API keys

"hsapi COMMAND --help" tells more about each; --version prints the version.

${ENVIRONMENT}`

export const COMMAND_HELP: Record<string, string> = {
  serve: `Usage: hsapi serve

Loads the snapshot and answers requests until SIGTERM or SIGINT. With no key file yet it makes one
free key and prints it once.

${ENVIRONMENT}`,
  build: `Usage: hsapi build [--dataset DIR] [--out FILE] [--if-changed]

Checks the dataset and compiles it. Every defect is listed with its file and line; then nothing is written.

  --dataset DIR  the dataset (dataset)
  --out FILE     the snapshot to write (HSAPI_SNAPSHOT, or dist/hs.snapshot)
  --if-changed   do nothing where the snapshot was made from this very dataset`,
  check: `Usage: hsapi check [--dataset DIR]

Lists every defect of a dataset with its file and line. Exit code 2 if there is one.

  --dataset DIR  the dataset (dataset)`,
  keys: KEYS,
  'keys create': KEYS,
  'keys list': KEYS,
  'keys show': KEYS,
  'keys revoke': KEYS,
  'keys rotate': KEYS,
}
