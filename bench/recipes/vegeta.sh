#!/usr/bin/env bash
# vegeta (https://github.com/tsenart/vegeta, 12), constant arrival rate. Not tested with vegeta itself, which is in neither Debian
# nor npm: a test checks the format of the targets, and the script was tested with a stand-in for vegeta.
#
#   KEY=... URL=http://127.0.0.1:8080 RATE=500 DURATION=30 bench/recipes/vegeta.sh
#
# vegeta sends at fixed times and opens connections as it needs them; latency is measured from sending. Result: the text report,
# then the last line. Exit code 1 if p99 (P99_MS, milliseconds) or errors (ERRORS, percent) are above the limit. Its "Success" is
# below 100 % because 4 % of the mix are mistakes on purpose; "rate" below RATE means that vegeta could not keep up.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
URL=${URL:-http://127.0.0.1:8080} RATE=${RATE:-500} WARM=${WARM:-5} DURATION=${DURATION:-30}
HSAPI=${HSAPI:-npx hsapi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

$HSAPI feed --kind urls --format vegeta --url "$URL" --count 20000 >"$work/targets"
load() { # seconds
  vegeta attack -targets "$work/targets" -rate "$RATE/1s" -duration "${1}s" -header "X-Api-Key: $KEY"
}
load "$WARM" >/dev/null
load "$DURATION" >"$work/results"
vegeta report -type text "$work/results"
vegeta report -type json "$work/results" >"$work/report"
node "$here/verdict.mjs" vegeta "$work/report"
