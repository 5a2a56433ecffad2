#!/usr/bin/env bash
# hey (https://github.com/rakyll/hey), a rate limit for each worker. Run in test/recipes.
#
#   KEY=... URL=http://127.0.0.1:8080 RATE=500 DURATION=30 bench/recipes/hey.sh
#
# hey asks for one URL, so that one hey runs for each kind of request, beside the others, at that kind's share of the rate:
# few URLs, asked over and over. For the whole mix take another tool. Its workers wait for answers, so that a stalled server
# is asked less (latencies flatter it). Reading the result: the last line. Exit code 1 where p99 (P99_MS, milliseconds) or
# errors (ERRORS, percent) broke.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
URL=${URL:-http://127.0.0.1:8080} RATE=${RATE:-500} WARM=${WARM:-5} DURATION=${DURATION:-30}
HSAPI=${HSAPI:-npx hsapi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# how many of a thousand rows are of a kind is its share; its first row stands for all
$HSAPI feed --kind urls --no-401 --url "$URL" --count 1000 >"$work/mix"
load() { # seconds, name
  local pids=() pid kind count url
  while read -r count kind url; do
    # two workers a kind; at least one request a second each
    hey -z "${1}s" -c 2 -q $((RATE * count / 2000 > 0 ? RATE * count / 2000 : 1)) -o csv -H "X-Api-Key: $KEY" "$url" \
      >"$work/$2-$kind.csv" &
    pids+=($!)
  done < <(awk -F, 'NR > 1 { if (!($1 in url)) url[$1] = $3; n[$1]++ } END { for (k in n) print n[k], k, url[k] }' "$work/mix")
  for pid in "${pids[@]}"; do wait "$pid"; done
}
load "$WARM" warm
load "$DURATION" measured
node "$here/verdict.mjs" hey "$work"/measured-*.csv
