-- Sends requests with the keys of a file, one per line, in turn.
local requests = {}
local at = 0

function init(args)
  for key in io.lines(args[1]) do
    wrk.headers["X-Api-Key"] = key
    requests[#requests + 1] = wrk.format()
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
