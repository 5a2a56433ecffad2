import { DAY_MS, DAYS_BACK_MAX, MINUTE_MS } from '../clock.js'
import { PREFETCH_PART } from '../leases/prefetch.js'

/** How long counts are kept after the end of their day. */
const KEEP_MS = 3_600_000

/**
 * Grants requests within a key's minute and day windows, atomically and by the clock of Redis.
 *
 * KEYS[1]: a hash with the minute's start `m` and count `mc`, the day `d` and its count `dc`; the counts include leases.
 * ARGV: waiting, prefetch, limits of minute and day, returned, unreported in minute and day, the replica's m, mc, d, dc, and
 * 1 if either all of `waiting` or nothing may be granted. Returns granted, m, mc, d, dc, now.
 *
 * If the window in Redis is missing or invalid, the replica's window replaces it.
 */
export const LEASE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today = math.floor(now / ${DAY_MS})
local a = {}
for i = 1, #ARGV do a[i] = tonumber(ARGV[i]) end
local waiting, prefetch, limitMinute, limitDay, returned = a[1], a[2], a[3], a[4], a[5]
local unreportedMinute, unreportedDay = a[6], a[7]
local replicaM, replicaMc, replicaD, replicaDc = a[8], a[9], a[10], a[11]
local isAllOrNothing = a[12] == 1
local function count(text)
  local number = tonumber(text)
  if number and number >= 0 and number % 1 == 0 and number < 9007199254740992 then return number end
end
local h = redis.call('HMGET', KEYS[1], 'm', 'mc', 'd', 'dc')
local m, mc, d, dc = count(h[1]), count(h[2]), count(h[3]), count(h[4])
local isLost = false
if not (d and dc) or d > today + ${DAYS_BACK_MAX} then
  isLost = true
  d, dc = replicaD, replicaDc
elseif unreportedDay > 0 then
  if d == replicaD then dc = dc + unreportedDay
  elseif replicaD > d then d, dc = replicaD, unreportedDay end
end
if not (m and mc) or m > now + ${MINUTE_MS} then
  isLost = true
  m, mc = replicaM, replicaMc
elseif unreportedMinute > 0 then
  if math.abs(m - replicaM) < ${MINUTE_MS} then mc = mc + unreportedMinute
  elseif replicaM > m then m, mc = replicaM, unreportedMinute end
end
if returned > 0 then
  if math.abs(m - replicaM) < ${MINUTE_MS} then mc = math.max(0, mc - returned) end
  if d == replicaD then dc = math.max(0, dc - returned) end
end
if d ~= today and not (d > today and d - today <= ${DAYS_BACK_MAX}) then d, dc = today, 0 end
local isOver = now >= m + ${MINUTE_MS} or m > now + ${MINUTE_MS}
if isOver then mc = 0 end
local room = math.max(0, math.min(limitMinute - mc, limitDay - dc))
local granted = math.min(waiting, room)
if isAllOrNothing and granted < waiting then granted = 0
else granted = granted + math.min(prefetch, math.floor((room - granted) / ${PREFETCH_PART})) end
if granted > 0 and isOver then m = now end
mc = mc + granted
dc = dc + granted
if granted > 0 or returned > 0 or unreportedMinute > 0 or unreportedDay > 0 or (isLost and dc > 0) then
  redis.call('HSET', KEYS[1], 'm', string.format('%.0f', m), 'mc', string.format('%.0f', mc),
    'd', string.format('%.0f', d), 'dc', string.format('%.0f', dc))
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', (d + 1) * ${DAY_MS} + ${KEEP_MS}))
end
return {granted, m, mc, d, dc, now}
`

export const replicasName = (prefix: string) => `${prefix}{replicas}`

/** A replica without a heartbeat for this time is considered gone. */
export const PRESENT_MS = 10_000
const PRESENCE_KEEP_MS = 60_000

/**
 * Records active replicas, so that each knows its share of a quota if Redis becomes unreachable.
 *
 * KEYS[1]: a sorted set of replicas by their last heartbeat. ARGV: the replica. Returns the number of replicas, how many come
 * before this one by name, and the age of the oldest heartbeat.
 */
export const PRESENCE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function at(ms) return string.format('%.0f', ms) end
local added = redis.pcall('ZADD', KEYS[1], at(now), ARGV[1])
if type(added) == 'table' and added.err then
  if not string.find(added.err, 'WRONGTYPE', 1, true) then return added end
  -- hsapi stores only this set under this name, so a value of another type may be deleted
  redis.call('DEL', KEYS[1])
  redis.call('ZADD', KEYS[1], at(now), ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', at(now - ${PRESENT_MS}))
redis.call('ZREMRANGEBYSCORE', KEYS[1], at(now + ${PRESENT_MS}), '+inf')
redis.call('PEXPIREAT', KEYS[1], at(now + ${PRESENCE_KEEP_MS}))
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '+inf')
local rank = 0
for _, id in ipairs(ids) do if id < ARGV[1] then rank = rank + 1 end end
local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return {#ids, rank, math.max(0, now - oldest[2])}
`
