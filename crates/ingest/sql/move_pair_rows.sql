-- Pairs the transactions that a move of statements removed with the equal ones that it stored.
-- $1 user id, $2 id of the account that got the statements
create temp table label_moves on commit drop as
select gone.user_id, gone.transaction_id as old_id, new.transaction_id as new_id
from (
  select before.*, row_number() over (
    partition by before.date, before.amount_cents, before.currency, before.title order by before.transaction_id) as number
  from pg_temp.rows_before_move as before
  where not exists (
    select from passbook.transactions as t
    where t.user_id = before.user_id and t.transaction_id = before.transaction_id)) as gone
join (
  select t.*, row_number() over (
    partition by t.date, t.amount_cents, t.currency, t.title order by t.transaction_id) as number
  from passbook.transactions as t
  where t.user_id = $1 and t.account_id = $2 and not exists (
    select from pg_temp.rows_before_move as before where before.transaction_id = t.transaction_id)) as new
  on new.date = gone.date and new.amount_cents = gone.amount_cents and new.currency = gone.currency
    and new.title = gone.title and new.number = gone.number
