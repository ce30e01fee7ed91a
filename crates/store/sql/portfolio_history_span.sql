-- First and last day of one user's history, its interval, its number of points, the day from which on the value of everything
-- in wallets is known, and whether something has no price to this day.
-- $1 user id, $2 interval: auto, day, week or month
select
  span.user_id, span.first_day, span.last_day, span.unit, span.points,
  nullif(gaps.day, 'infinity') as wallets_complete_from,
  coalesce(gaps.day = 'infinity', false) as lacks_prices
from passbook_read.history_span($2) as span
cross join lateral (select max(gaps.day) as day from passbook_read.valuation_gaps as gaps where gaps.user_id = $1) as gaps
where span.user_id = $1
