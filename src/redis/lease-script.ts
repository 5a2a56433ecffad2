/**
 * The one script that decides on a key's windows. It runs in the store, alone, so that no two replicas are given the same
 * request. Time is the store's own.
 *
 * KEYS[1]: a hash with the minute's start `m`, its count `mc`, the day `d` and its count `dc`; what is leased is counted.
 * ARGV: waiting, ahead, limit of the minute, of the day, given back, spent in the minute, in the day, and the asker's own
 * m, mc, d, dc; 1 where those that wait get all or nothing. Answer: granted, m, mc, d, dc, now.
 */
import { DAY_MS, DAYS_BACK_MAX, MINUTE_MS } from '../clock.js'

/** Ahead of need a lease takes at most this part of what is left, so that little of it waits unused anywhere. */
const AHEAD_PART = 64
/** After the end of its day a key's hash is of no use. */
const KEEP_MS = 3_600_000

export const LEASE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today = math.floor(now / ${DAY_MS})
local a = {}
for i = 1, #ARGV do a[i] = tonumber(ARGV[i]) end
local waiting, ahead, limitMinute, limitDay, back, spentMinute, spentDay = a[1], a[2], a[3], a[4], a[5], a[6], a[7]
local theirM, theirD = a[8], a[10]
local h = redis.call('HMGET', KEYS[1], 'm', 'mc', 'd', 'dc')
local m, mc, d, dc
local lost = not h[1]
if lost then
  m, mc, d, dc = theirM, a[9], theirD, a[11]
else
  m, mc, d, dc = tonumber(h[1]), tonumber(h[2]), tonumber(h[3]), tonumber(h[4])
  if spentDay > 0 then
    if d == theirD then dc = dc + spentDay
    elseif theirD > d then d, dc = theirD, spentDay end
  end
  if spentMinute > 0 then
    if math.abs(m - theirM) < ${MINUTE_MS} then mc = mc + spentMinute
    elseif theirM > m then m, mc = theirM, spentMinute end
  end
end
if back > 0 then
  if m == theirM then mc = math.max(0, mc - back) end
  if d == theirD then dc = math.max(0, dc - back) end
end
if d ~= today and not (d > today and d - today <= ${DAYS_BACK_MAX}) then d, dc = today, 0 end
local over = now >= m + ${MINUTE_MS} or m > now + ${MINUTE_MS}
if over then mc = 0 end
local room = math.max(0, math.min(limitMinute - mc, limitDay - dc))
local granted = math.min(waiting, room)
if a[12] == 1 and granted < waiting then granted = 0
else granted = granted + math.min(ahead, math.floor((room - granted) / ${AHEAD_PART})) end
if granted > 0 and over then m = now end
mc = mc + granted
dc = dc + granted
if granted > 0 or back > 0 or spentMinute > 0 or spentDay > 0 or (lost and dc > 0) then
  redis.call('HSET', KEYS[1], 'm', string.format('%.0f', m), 'mc', string.format('%.0f', mc),
    'd', string.format('%.0f', d), 'dc', string.format('%.0f', dc))
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', (d + 1) * ${DAY_MS} + ${KEEP_MS}))
end
return {granted, m, mc, d, dc, now}
`
