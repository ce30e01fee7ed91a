-- First and last day of one user's history, its interval, its number of points, and the day from which on all values
-- are known.
-- $1 user id, $2 interval: auto, day, week or month
select
  span.user_id, span.first_day, span.last_day, span.unit, span.points,
  (select nullif(max(since.day), 'infinity') from passbook_read.valuation_gaps as since
    where since.user_id = $1) as complete_from
from passbook_read.history_span($2) as span
where span.user_id = $1
