-- Stores the balances that a statement states, in their order.
-- $1 user id, $2 file, $3 statement, $4 kinds, $5 dates, $6 amounts, $7 currencies
insert into passbook.statement_balances (user_id, file_id, statement, position, kind, date, amount_cents, currency)
select $1, $2, $3, given.position - 1, given.kind, given.date, given.amount_cents, given.currency
from unnest($4::text[], $5::date[], $6::bigint[], $7::text[]) with ordinality
  as given (kind, date, amount_cents, currency, position)
