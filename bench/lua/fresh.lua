-- Adds a parameter that the server ignores and that differs in every request, so that no answer comes from a cache.
local count = os.time() % 1000000 * 1000000

function request()
  count = count + 1
  return wrk.format(nil, string.format("%s&n=%d", wrk.path, count))
end
