-- Sends several requests at once; the first argument is their number. wrk counts every answer.
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
