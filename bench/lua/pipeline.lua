-- Sends as many requests at once as the first argument says; wrk counts every answer.
local batch

function init(args)
  local one = wrk.format()
  local all = {}
  for i = 1, tonumber(args[1]) do all[i] = one end
  batch = table.concat(all)
end

function request()
  return batch
end
