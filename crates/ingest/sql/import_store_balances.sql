-- Replaces the balances that the files of a person state.
-- $1 user id, $2 accounts, $3 days, $4 positions within the day, $5 balances, $6 for a balance of a moment the sum of the
-- transactions of the day that its file lists, else null
with removed as (
  delete from passbook.stated_balances as stated
  where stated.user_id = $1
    and (stated.account_id, stated.date, stated.position) not in (
      select given.account_id, given.date, given.position
      from unnest($2::uuid[], $3::date[], $4::integer[]) as given (account_id, date, position))
)
insert into passbook.stated_balances as stated (user_id, account_id, date, position, balance_cents, listed_cents)
select $1, given.account_id, given.date, given.position, given.balance_cents, given.listed_cents
from unnest($2::uuid[], $3::date[], $4::integer[], $5::bigint[], $6::bigint[])
  as given (account_id, date, position, balance_cents, listed_cents)
on conflict (user_id, account_id, date, position) do update
set balance_cents = excluded.balance_cents, listed_cents = excluded.listed_cents
where (stated.balance_cents, stated.listed_cents) is distinct from (excluded.balance_cents, excluded.listed_cents)
