-- Adds the balances that follow from the files of a person, on days without a balance.
-- $1 user id, $2 accounts, $3 days, $4 balances
insert into passbook.balance_snapshots (user_id, account_id, date, balance_cents, imported)
select $1, given.account_id, given.date, given.cents, true
from unnest($2::uuid[], $3::date[], $4::bigint[]) as given (account_id, date, cents)
on conflict (user_id, account_id, date) do nothing
