-- The reading contract of banks and portfolio: what is open, what it is worth today, and how fresh that is.

-- A quantity at a price, in whole hundredths, half away from zero, which is how numeric rounds.
create function passbook_read.value_cents(quantity numeric, price numeric) returns bigint
language sql immutable parallel safe as $$ select round(quantity * price * 100)::bigint $$;

-- Accounts that are not closed today, and what each is worth in the preferred currency: rounded here, once.
create view passbook_read.open_accounts as
  select
    a.user_id,
    a.bank_id,
    a.account_id,
    a.name,
    a.type,
    a.subtype,
    a.currency,
    a.balance_cents,
    a.balance_updated_at as updated_at,
    exists (
      select from passbook.holdings
      where holdings.user_id = a.user_id and holdings.account_id = a.account_id and holdings.quantity <> 0
    ) as has_holdings,
    passbook_read.convert_on(a.balance_cents, a.currency, people.preferred_currency, people.today) as converted_cents
  from passbook.accounts as a
  join passbook_read.people as people on people.user_id = a.user_id
  where a.closed_on is null or a.closed_on > people.today;

-- Days are counted in the person's time zone, as "today" is; an update that is ahead of today is of today.
create view passbook_read.banks as
  select
    b.user_id,
    b.bank_id,
    b.name,
    b.status,
    b.new_accounts_available,
    b.last_successful_update,
    b.last_failed_update,
    b.consent_expires_at,
    b.error_code,
    -- Not greatest alone, which takes an unknown day for the smallest.
    case when b.last_successful_update is not null then
      greatest(people.today - (b.last_successful_update at time zone people.time_zone)::date, 0)
    end as days_since_update,
    (select count(*) from passbook_read.open_accounts as open
      where open.user_id = b.user_id and open.bank_id = b.bank_id) as account_count
  from passbook.banks as b
  join passbook_read.people as people on people.user_id = b.user_id;

-- Every security with its last price on or before today; without a price, none.
create view passbook.priced_securities as
  select
    s.user_id, s.security_id, s.name, s.type, s.currency, s.symbol, s.isin, s.is_cash_equivalent,
    latest.price, latest.as_of as price_as_of, people.preferred_currency, people.today
  from passbook.securities as s
  join passbook_read.people as people on people.user_id = s.user_id
  left join lateral (
    select prices.price, prices.as_of from passbook.security_prices as prices
    where prices.user_id = s.user_id and prices.security_id = s.security_id and prices.as_of <= people.today
    order by prices.as_of desc limit 1) as latest on true;

-- What open accounts hold. An account's balance already says what it is worth: these values are not added to it.
create view passbook_read.holdings as
  select
    h.user_id,
    a.bank_id,
    h.account_id,
    h.security_id,
    s.symbol,
    s.name,
    s.type,
    s.isin,
    h.quantity,
    s.price,
    s.price_as_of,
    passbook_read.value_cents(h.quantity, s.price) as value_cents,
    h.cost_basis_cents,
    s.currency,
    s.is_cash_equivalent,
    passbook_read.convert_on(
      passbook_read.value_cents(h.quantity, s.price), s.currency, s.preferred_currency, s.today) as converted_cents
  from passbook.holdings as h
  join passbook_read.open_accounts as a on a.user_id = h.user_id and a.account_id = h.account_id
  join passbook.priced_securities as s on s.user_id = h.user_id and s.security_id = h.security_id
  where h.quantity <> 0;

-- An address is shown by its ends only, and by less of it where the ends would be most of it.
create view passbook_read.wallets as
  select
    w.user_id,
    w.wallet_id,
    w.name,
    w.network,
    case when length(w.address) >= 16 then left(w.address, 4) || '…' || right(w.address, 4)
      else '…' || right(w.address, 2) end as address_masked,
    w.updated_at
  from passbook.wallets as w;

-- What each wallet holds today: the last stored quantity on or before today, unless it is nothing.
create view passbook_read.wallet_holdings as
  select
    held.user_id,
    held.wallet_id,
    held.security_id,
    s.symbol,
    s.name,
    held.quantity,
    s.price,
    s.price_as_of,
    passbook_read.value_cents(held.quantity, s.price) as value_cents,
    s.currency,
    passbook_read.convert_on(
      passbook_read.value_cents(held.quantity, s.price), s.currency, s.preferred_currency, s.today) as converted_cents
  from passbook.wallet_holdings as held
  join passbook.priced_securities as s on s.user_id = held.user_id and s.security_id = held.security_id
  where held.quantity <> 0
    and held.as_of = (
      select max(latest.as_of) from passbook.wallet_holdings as latest
      where latest.user_id = held.user_id and latest.wallet_id = held.wallet_id
        and latest.security_id = held.security_id and latest.as_of <= s.today);

create view passbook_read.paper_accounts as
  select
    p.user_id, p.paper_account_id, p.name, p.provider, p.currency, p.cash_cents, p.starting_balance_cents,
    p.updated_at
  from passbook.paper_accounts as p;

-- Open positions. A short position is worth less than nothing: what it would cost to buy back. Converted into the
-- currency of the simulated account, which alone its total is in.
create view passbook_read.paper_positions as
  select
    position.user_id,
    position.paper_account_id,
    position.security_id,
    s.symbol,
    s.name,
    position.side,
    position.quantity,
    position.average_entry_price,
    s.price as market_price,
    worth.market_value_cents,
    worth.cost_basis_cents,
    worth.market_value_cents - worth.cost_basis_cents as unrealized_pl_cents,
    s.currency,
    passbook_read.convert_on(worth.market_value_cents, s.currency, p.currency, s.today) as converted_cents
  from passbook.paper_positions as position
  join passbook.paper_accounts as p
    on p.user_id = position.user_id and p.paper_account_id = position.paper_account_id
  join passbook.priced_securities as s
    on s.user_id = position.user_id and s.security_id = position.security_id
  cross join lateral (
    select case position.side when 'LONG' then position.quantity else -position.quantity end as quantity) as signed
  cross join lateral (
    select
      passbook_read.value_cents(signed.quantity, s.price) as market_value_cents,
      passbook_read.value_cents(signed.quantity, position.average_entry_price) as cost_basis_cents) as worth
  where position.quantity > 0;

revoke all on function passbook_read.value_cents(numeric, numeric) from public;
grant execute on function passbook_read.value_cents(numeric, numeric) to passbook_reader;
grant select on passbook_read.open_accounts, passbook_read.banks, passbook_read.holdings, passbook_read.wallets,
  passbook_read.wallet_holdings, passbook_read.paper_accounts, passbook_read.paper_positions to passbook_reader;
