-- What decides the balance of each of one user's accounts on any day, closed accounts included.
-- $1 user id
select
  f.account_id, f.bank_id, f.name, f.type, f.currency, f.opened_on, f.closed_on, f.ambiguous_from, f.today, f.changes_without_rows,
  f.stated_dates, f.stated_cents, f.listed_cents, f.booked_dates, f.booked_cents, f.has_other_currency, f.first_days,
  f.last_days
from passbook_read.balance_facts as f
where f.user_id = $1
order by f.account_id
