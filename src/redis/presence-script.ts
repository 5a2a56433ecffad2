/**
 * Records active replicas, so that each knows its share of a quota when Redis is lost.
 *
 * KEYS[1]: a sorted set of replicas by their last heartbeat. ARGV: the replica. Returns the number of replicas, and how many
 * come before this one by name.
 */

/** Several heartbeats. */
const PRESENT_MS = 10_000
const KEEP_MS = 60_000

export const PRESENCE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function at(ms) return string.format('%.0f', ms) end
local added = redis.pcall('ZADD', KEYS[1], at(now), ARGV[1])
if type(added) == 'table' and added.err then
  if not string.find(added.err, 'WRONGTYPE', 1, true) then return added end
  -- nothing else is stored under this name
  redis.call('DEL', KEYS[1])
  redis.call('ZADD', KEYS[1], at(now), ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', at(now - ${PRESENT_MS}))
redis.call('ZREMRANGEBYSCORE', KEYS[1], at(now + ${PRESENT_MS}), '+inf')
redis.call('PEXPIREAT', KEYS[1], at(now + ${KEEP_MS}))
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '+inf')
local rank = 0
for _, id in ipairs(ids) do if id < ARGV[1] then rank = rank + 1 end end
return {#ids, rank}
`
