-- Makes every request differ from all before by a parameter that the server ignores: no answer can be kept ready.
local count = os.time() % 1000000 * 1000000

function request()
  count = count + 1
  return wrk.format(nil, string.format("%s&n=%d", wrk.path, count))
end
