-- The first and the last counted day of one user in the session's days, and the totals of the complete months of these days up to
-- today, by type and currency; the columns of the months and of the totals are null if there are none. An end of the session's
-- days that is not open is returned as it is. No row if an end is open and nothing counts.
-- $1 user id, $2 true to count pending rows, $3 true to count excluded categories, $4 income categories that count beside
-- expenses, null for all; $5 categories, $6 accounts
select
  days.user_id, days.first_day as first_counted, days.last_day as last_counted, months.first_day as first_of_months,
  months.last_day as last_of_months, s.measure as type, s.currency, s.count, s.amount_cents, s.converted_cents
from passbook_read.counted_days(passbook_read.first_day(), passbook_read.last_day(), $2, $3, $5, $6, $4) as days
join passbook_read.current_user_profile as profile on profile.user_id = days.user_id
left join lateral passbook_read.split_range(
  days.first_day, least(passbook_read.last_day(), profile.today), 'month', passbook_read.month_start()) as months
  on months.period = 'month'
left join lateral passbook_read.counted_sums(
  months.first_day, months.last_day, null, $2, $3, $5, $6, null, 'total') as s
  on s.user_id = days.user_id and s.count <> 0 and (s.measure = 'EXPENSE' or $4::text[] is null)
where days.user_id = $1
