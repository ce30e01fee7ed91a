-- Holdings of one user's wallets, ordered by value descending; holdings without a price or rate last.
-- $1 user id
select
  h.wallet_id, h.symbol, h.name, h.quantity::text as quantity, h.price::text as price, h.price_as_of,
  h.value_cents, h.currency, h.converted_cents
from passbook_read.wallet_holdings as h
where h.user_id = $1
order by h.converted_cents desc nulls last, h.name collate "C", h.security_id
