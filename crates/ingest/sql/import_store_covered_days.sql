-- Replaces the days of which the files of a person list every transaction.
-- $1 user id, $2 accounts, $3 first days, $4 last days
with removed as (
  delete from passbook.covered_days as covered
  where covered.user_id = $1
    and (covered.account_id, covered.first_day) not in (
      select given.account_id, given.first_day from unnest($2::uuid[], $3::date[]) as given (account_id, first_day))
)
insert into passbook.covered_days as covered (user_id, account_id, first_day, last_day)
select $1, given.account_id, given.first_day, given.last_day
from unnest($2::uuid[], $3::date[], $4::date[]) as given (account_id, first_day, last_day)
on conflict (user_id, account_id, first_day) do update
set last_day = excluded.last_day
where covered.last_day <> excluded.last_day
