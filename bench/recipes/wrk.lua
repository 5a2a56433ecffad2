-- wrk (https://github.com/wg/wrk), closed loop: finds the maximum throughput of a server. Tested in test/recipes.
--
--   npx hsapi feed --kind urls --count 20000 --out mix.csv
--   export KEY=... FEED=mix.csv
--   wrk -t 2 -c 64 -d 5s  -s bench/recipes/wrk.lua http://127.0.0.1:8080     # warm-up
--   wrk -t 2 -c 64 -d 30s -s bench/recipes/wrk.lua http://127.0.0.1:8080
--
-- Result: "Requests/sec" is the throughput with 64 connections, each of which waits for its answer. Latencies of a server that
-- stalls look better than they are, because no requests are sent meanwhile; to measure latency use a tool with a fixed rate.
-- The last line shows whether p99 and errors stayed below P99_MS and ERRORS (percent); if not, the exit code is 1. wrk's own
-- "Non-2xx" also counts the 4 % of the mix that are mistakes on purpose; the last line does not.
local UNKNOWN_KEY = 'hs_free_00000000000000000000000000000000_000000'
local EXPECTED = { [200] = true, [400] = true, [401] = true, [404] = true }
local P99_MS = tonumber(os.getenv('P99_MS') or '50')
local ERRORS = tonumber(os.getenv('ERRORS') or '0.1')

local threads = {}
function setup(thread)
  thread:set('number', #threads)
  table.insert(threads, thread)
end

local requests = {}
local at = 0

function init(args)
  wrong = 0
  local file = assert(io.open(os.getenv('FEED') or 'mix.csv'))
  file:read('*l')
  for line in file:lines() do
    local url, key = line:match('^%a+,%a+,([^,]+),(%a+),%d+$')
    local value = key == 'own' and os.getenv('KEY') or UNKNOWN_KEY
    table.insert(requests, wrk.format('GET', url, { ['Host'] = wrk.headers['Host'], ['X-Api-Key'] = value }))
  end
  file:close()
  -- threads begin at different places, so that they do not send the same request at the same time
  at = number * 997 % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function response(status)
  if not EXPECTED[status] then wrong = wrong + 1 end
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do failed = failed + thread:get('wrong') end
  local p99 = latency:percentile(99) / 1000
  local share = 100 * failed / math.max(1, summary.requests)
  local held = summary.requests > 0 and p99 <= P99_MS and share <= ERRORS
  print(string.format('%s: p99 %.2f ms (at most %g), errors %.3f %% (at most %g)', held and 'held' or 'BROKEN', p99, P99_MS,
    share, ERRORS))
  if not held then os.exit(1) end
end
