#!/usr/bin/env bash
# oha (https://github.com/hatoo/oha, 1.10 or newer), constant arrival rate. Not run here: oha is in neither Debian nor npm; its
# options and its JSON were taken from its own documentation, and this script was run with a stand-in for oha.
#
#   KEY=... URL=http://127.0.0.1:8080 RATE=500 DURATION=30 bench/recipes/oha.sh
#
# --latency-correction counts from the time a request was due, so that a stall counts for all who would have come.
# Reading the result: the last line. Exit code 1 where p99 (P99_MS, milliseconds) or errors (ERRORS, percent) broke.
# "requestsPerSec" below RATE means that CONNECTIONS were too few, or the server too slow.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
URL=${URL:-http://127.0.0.1:8080} RATE=${RATE:-500} WARM=${WARM:-5} DURATION=${DURATION:-30}
HSAPI=${HSAPI:-npx hsapi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

$HSAPI feed --kind urls --format list --url "$URL" --count 20000 >"$work/urls"
load() { # seconds
  oha --no-tui --output-format json --urls-from-file -q "$RATE" --latency-correction -c "${CONNECTIONS:-64}" -z "${1}s" \
    -H "X-Api-Key: $KEY" "$work/urls"
}
load "$WARM" >/dev/null
load "$DURATION" >"$work/report"
node "$here/verdict.mjs" oha "$work/report"
