#!/usr/bin/env bash
# hey (https://github.com/rakyll/hey), fixed rate for each worker. Tested in test/recipes.
#
#   KEY=... URL=http://127.0.0.1:8080 RATE=500 DURATION=30 bench/recipes/hey.sh
#
# hey requests a single URL. So one hey runs for each kind of request, all at the same time, each with its share of the rate.
# The load therefore consists of few URLs, each requested repeatedly. For the whole mix use another tool. Workers wait for
# answers, so a stalled server gets fewer requests and its latencies look better than they are. Result: the last line. Exit
# code 1 if p99 (P99_MS, milliseconds) or errors (ERRORS, percent) are above the limit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
URL=${URL:-http://127.0.0.1:8080} RATE=${RATE:-500} WARM=${WARM:-5} DURATION=${DURATION:-30}
HSAPI=${HSAPI:-npx hsapi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# each kind gets its share of a thousand rows; all requests of a kind use the URL of its first row
$HSAPI feed --kind urls --no-401 --url "$URL" --count 1000 >"$work/mix"
load() { # seconds, name
  local pids=() pid kind count url
  while read -r count kind url; do
    # two workers per kind, each with at least one request per second
    hey -z "${1}s" -c 2 -q $((RATE * count / 2000 > 0 ? RATE * count / 2000 : 1)) -o csv -H "X-Api-Key: $KEY" "$url" \
      >"$work/$2-$kind.csv" &
    pids+=($!)
  done < <(awk -F, 'NR > 1 { if (!($1 in url)) url[$1] = $3; n[$1]++ } END { for (k in n) print n[k], k, url[k] }' "$work/mix")
  for pid in "${pids[@]}"; do wait "$pid"; done
}
load "$WARM" warm
load "$DURATION" measured
node "$here/verdict.mjs" hey "$work"/measured-*.csv
