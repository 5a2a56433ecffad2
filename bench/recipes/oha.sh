#!/usr/bin/env bash
# oha (https://github.com/hatoo/oha, 1.10 or newer), constant arrival rate. Not tested with oha itself, which is in neither Debian
# nor npm: its options and its JSON come from its documentation, and the script was tested with a stand-in for oha.
#
#   KEY=... URL=http://127.0.0.1:8080 RATE=500 DURATION=30 bench/recipes/oha.sh
#
# --latency-correction measures from the time a request was due, so that a stall counts for every request due in that time.
# Result: the last line. Exit code 1 if p99 (P99_MS, milliseconds) or errors (ERRORS, percent) are above the limit.
# "requestsPerSec" below RATE means that there were too few CONNECTIONS, or that the server is too slow.
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
