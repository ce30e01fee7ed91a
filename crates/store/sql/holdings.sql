-- Holdings of one user's open accounts, ordered by value descending; holdings without a price or rate last.
-- $1 user id
select
  h.bank_id, h.account_id, h.security_id, h.symbol, h.name, h.type, h.isin, h.quantity::text as quantity,
  h.price::text as price, h.price_as_of, h.value_cents, h.cost_basis_cents, h.currency, h.is_cash_equivalent
from passbook_read.holdings as h
where h.user_id = $1
order by h.converted_cents desc nulls last, h.name collate "C", h.security_id, h.account_id
