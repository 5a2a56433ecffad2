-- Searches for the phrases of a table (language, phrase, ...) in turn, each time with another parameter that the server
-- ignores. So no answer comes from a cache, and the processor's caches hold little data that the next search can use.
local paths = {}
local count = os.time() % 1000000 * 1000000

local function encoded(text)
  return (text:gsub("[^%w]", function(char)
    return string.format("%%%02X", char:byte())
  end))
end

function init(args)
  for line in io.lines(args[1]) do
    local phrase = line:match("^%l%l\t([^\t]+)")
    if phrase ~= nil then
      paths[#paths + 1] = "/api/v1/search?q=" .. encoded(phrase) .. "&n="
    end
  end
end

function request()
  count = count + 1
  return wrk.format(nil, paths[count % #paths + 1] .. count)
end
