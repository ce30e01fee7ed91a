-- Counts one request against the buckets KEYS by the generic cell rate algorithm, with the clock of the store, so that
-- clocks of servers do not matter. ARGV has for each bucket the microseconds in which it gets one request, and its burst.
-- Returns for each bucket up to the first that is empty: 1 if it is empty, the requests that would succeed now, and the
-- microseconds until the next would.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local results = {}
for index, key in ipairs(KEYS) do
  local interval = tonumber(ARGV[2 * index - 1])
  local burst = tonumber(ARGV[2 * index])
  -- The moment at which the bucket is full again. After the clock went back, it is at most a whole burst away.
  local full = math.max(tonumber(redis.call('GET', key) or now), now)
  full = math.min(full, now + interval * burst) + interval
  local wait = full - now - interval * burst
  if wait > 0 then
    results[index] = {1, 0, wait}
    break
  end
  redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  results[index] = {0, math.floor(-wait / interval), 0}
end
return results
