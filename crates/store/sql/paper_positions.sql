-- The open positions of one user's simulated accounts, ordered by value
-- descending; positions without a price or rate last.
-- $1 user id
select
  p.paper_account_id, p.security_id, p.symbol, p.side, p.quantity::text as quantity,
  p.average_entry_price::text as average_entry_price, p.market_price::text as market_price, p.market_value_cents,
  p.cost_basis_cents, p.unrealized_pl_cents, p.currency, p.converted_cents
from passbook_read.paper_positions as p
where p.user_id = $1
order by p.converted_cents desc nulls last, p.name collate "C", p.security_id, p.side
