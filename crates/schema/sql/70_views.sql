-- The reading contract: what the server may see, and the rules that every number obeys, each in one place. The reader has
-- rights on the schema passbook_read only.

create view passbook_read.schema_version as
  select migrations.version, migrations.sha256 from passbook.migrations order by migrations.version desc limit 1;

-- The users. Readers sort the excluded categories: sorting two words costs an executor more than reading them.
create view passbook_read.current_user_profile as
  select users.user_id, users.email, users.preferred_currency, users.time_zone, users.month_start,
    passbook_read.today_in(users.time_zone) as today, users.last_row_on, users.has_unconverted,
    users.excluded_categories, users.names
  from passbook.users;

-- What Passbook's own tables say of a credential. Consent and session, where they are stored, can only take away. Both are
-- joined: PostgreSQL starts every subquery of a plan at each execution, also those of a branch that it leaves out.
create view passbook.stored_grants as
  select tokens.user_id, 'personal_access_token' as credential, tokens.token_id::text as reference,
    tokens.user_id as owner_user_id, tokens.scopes::text[] as scopes, tokens.rest, tokens.mcp,
    tokens.revoked_at is not null as revoked, tokens.expires_at <= now() as expired
  from passbook.personal_access_tokens as tokens
  union all
  select users.user_id, 'oauth_client', clients.client_id, clients.user_id, clients.scopes::text[], clients.rest, clients.mcp,
    clients.revoked_at is not null or consents.revoked_at is not null or sessions.revoked_at is not null,
    false
  from passbook.users
  cross join passbook.oauth_clients as clients
  left join passbook.oauth_consents as consents
    on consents.user_id = users.user_id and consents.client_id = clients.client_id
  left join passbook.oauth_sessions as sessions
    on sessions.user_id = users.user_id and sessions.session_id = passbook_read.session_id();

-- What a credential may do. A deployment may redefine this view over its own tables, or on top of the stored grants,
-- keeping the columns. owner_user_id is the one person an owner-only client serves, null when it serves everyone.
create view passbook_read.grants as
  select stored.user_id, stored.credential, stored.reference, stored.owner_user_id, stored.scopes, stored.rest, stored.mcp,
    stored.revoked, stored.expired
  from passbook.stored_grants as stored;

create view passbook_read.categories as
  select c.category, c.category_kind, c.category_group from passbook.categories as c;

create view passbook_read.excluded_categories as
  select excluded.user_id, excluded.category from passbook.excluded_categories as excluded;

create view passbook_read.budgets as
  select budgets.user_id, budgets.budget_id, budgets.category, categories.category_kind, budgets.target_cents, budgets.currency
  from passbook.budgets
  join passbook.categories using (category);

-- Every transaction that exists for any answer, with the stored facts.
create view passbook_read.transactions as
  select t.user_id, t.transaction_id, t.date, t.type, t.category, t.amount_cents, t.currency, t.title, t.pending,
    t.provider_category, t.merchant_name, t.merchant_key, t.merchant_search, t.title_search, t.account_id,
    t.resolved_linked_transaction_id as linked_transaction_id,
    t.type = 'EXPENSE' and exists (
      select from passbook.excluded_categories as excluded
      where excluded.user_id = t.user_id and excluded.category = t.category) as excluded,
    users.preferred_currency, t.converted_cents, t.refunded_category, t.refunded_account_id, t.refunded_merchant_key,
    t.own_category_id, t.tag_ids, t.note
  from passbook.transactions as t
  -- Finds one row, so PostgreSQL leaves the join out if a query does not use the currency.
  left join passbook.users on users.user_id = t.user_id
  where not t.is_superseded;

-- The names of accounts and of their banks.
create view passbook_read.account_names as
  select a.user_id, a.account_id, a.name as account_name, a.subtype, a.bank_id, b.name as bank_name
  from passbook.accounts as a
  join passbook.bank_connections as b on b.user_id = a.user_id and b.bank_id = a.bank_id;

-- Own categories and tags, which may have one identifier. A tag has neither a fixed category nor a parent.
create view passbook_read.labels as
  select 'own category' as kind, c.user_id, c.own_category_id as label_id, c.name, c.search_name, c.category, c.parent_id
  from passbook.own_categories as c
  union all
  select 'tag', tags.user_id, tags.tag_id, tags.name, tags.search_name, null, null from passbook.tags;

-- Accounts that are not closed today.
create view passbook_read.open_accounts as
  select a.user_id, a.bank_id, a.account_id, a.name, a.type, a.subtype, a.currency,
    greatest(a.balance_updated_at, (
      select (max(s.date) + 1)::timestamp at time zone 'UTC' from passbook.stated_balances as s
      where s.user_id = a.user_id and s.account_id = a.account_id and s.date <= profile.today)) as updated_at,
    exists (
      select from passbook.holdings
      where holdings.user_id = a.user_id and holdings.account_id = a.account_id and holdings.quantity <> 0
    ) as has_holdings
  from passbook.accounts as a
  join passbook_read.current_user_profile as profile on profile.user_id = a.user_id
  where a.closed_on is null or a.closed_on > profile.today;

-- The banks of a user.
create view passbook_read.bank_connections as
  select b.user_id, b.bank_id, b.name, b.status, b.new_accounts_available, b.last_successful_update, b.last_failed_update,
    b.consent_expires_at, b.error_code,
    case when b.last_successful_update is not null then
      greatest(profile.today - (b.last_successful_update at time zone profile.time_zone)::date, 0)
    end as days_since_update
  from passbook.bank_connections as b
  join passbook_read.current_user_profile as profile on profile.user_id = b.user_id;

-- The booked transactions of an account by day and currency: the sum in the currency of the account, bounded to 64 bits, and
-- whether it leaves something out.
create view passbook_read.booked_days as
  select a.user_id, a.account_id, t.period_start as date,
    case when t.unconverted_currency = a.currency then least(greatest(t.cents, -9e18), 9e18)::bigint else 0 end as cents,
    t.unconverted_currency <> a.currency or abs(t.cents) > 9e18 as has_other_currency
  from passbook.accounts as a
  join passbook.account_category_totals as t on t.user_id = a.user_id and t.account_id = a.account_id
  where t.period = 'day' and t.measure = 'BOOKED';

-- The balances that a loader and files state, by day and, on one day, from the oldest source to the newest. The present
-- balance of a loader is of a moment within its day, and contains the transactions of the day that are of no file. Before its
-- first day an account had nothing.
create view passbook_read.stated_balances as
  select s.user_id, s.account_id, s.date, -1 as position, s.balance_cents, null::bigint as listed_cents
  from passbook.balance_snapshots as s
  union all
  select s.user_id, s.account_id, s.date, s.position, s.balance_cents, s.listed_cents
  from passbook.stated_balances as s
  union all
  select a.user_id, a.account_id, updated.day, -2, a.balance_cents, (
      select coalesce(
        sum(case when t.type = 'INCOME' or t.category = 'TRANSFER_IN' then t.amount_cents else -t.amount_cents end), 0)::bigint
      from passbook.transactions as t
      where t.user_id = a.user_id and t.account_id = a.account_id and t.date = updated.day and t.currency = a.currency
        and not t.imported and not t.pending and not t.is_superseded)
  from passbook.accounts as a
  join passbook_read.current_user_profile as profile on profile.user_id = a.user_id
  cross join lateral (select (a.balance_updated_at at time zone profile.time_zone)::date as day) as updated
  where a.balance_cents is not null
  union all
  select a.user_id, a.account_id, a.opened_on - 1, -3, 0, null
  from passbook.accounts as a
  where a.opened_on is not null;

-- The days of which a loader or files state every transaction, without overlap. A loader states those of the days before
-- its load.
create view passbook_read.covered_days as
  select merged.user_id, merged.account_id, lower(spans.span) as first_day, upper(spans.span) - 1 as last_day
  from (
    select days.user_id, days.account_id, range_agg(daterange(days.first_day, days.last_day, '[]')) as all_days
    from (
      select c.user_id, c.account_id, c.first_day, c.last_day from passbook.covered_days as c
      union all
      select a.user_id, a.account_id, a.rows_complete_from,
        (a.balance_updated_at at time zone profile.time_zone)::date - 1
      from passbook.accounts as a
      join passbook_read.current_user_profile as profile on profile.user_id = a.user_id
      where a.rows_complete_from < (a.balance_updated_at at time zone profile.time_zone)::date
    ) as days
    group by days.user_id, days.account_id) as merged
  cross join lateral unnest(merged.all_days) as spans (span);

-- Everything that decides the balance of an account on any day, one row per account. `domain` computes the balances.
create view passbook_read.balance_facts as
  select a.user_id, a.bank_id, a.account_id, a.name, a.type, a.currency, a.opened_on, a.closed_on, a.ambiguous_from,
    profile.today,
    a.type in ('investment', 'loan', 'other') or exists (
      select from passbook.holdings as h
      where h.user_id = a.user_id and h.account_id = a.account_id and h.quantity <> 0) as changes_without_rows,
    stated.dates as stated_dates, stated.cents as stated_cents, stated.listed_cents,
    booked.dates as booked_dates, booked.cents as booked_cents, booked.has_other_currency,
    covered.first_days, covered.last_days
  from passbook.accounts as a
  join passbook_read.current_user_profile as profile on profile.user_id = a.user_id
  cross join lateral (
    select coalesce(array_agg(s.date order by s.date, s.position), '{}') as dates,
      coalesce(array_agg(s.balance_cents order by s.date, s.position), '{}') as cents,
      coalesce(array_agg(s.listed_cents order by s.date, s.position), '{}') as listed_cents
    from passbook_read.stated_balances as s
    where s.user_id = a.user_id and s.account_id = a.account_id) as stated
  cross join lateral (
    select coalesce(array_agg(d.date), '{}') as dates, coalesce(array_agg(d.cents), '{}') as cents,
      coalesce(array_agg(d.has_other_currency), '{}') as has_other_currency
    from passbook_read.booked_days as d
    where d.user_id = a.user_id and d.account_id = a.account_id) as booked
  cross join lateral (
    select coalesce(array_agg(c.first_day order by c.first_day), '{}') as first_days,
      coalesce(array_agg(c.last_day order by c.first_day), '{}') as last_days
    from passbook_read.covered_days as c
    where c.user_id = a.user_id and c.account_id = a.account_id) as covered;

-- Every security with its last price on or before today; without a price, none.
create view passbook.priced_securities as
  select s.user_id, s.security_id, s.name, s.type, s.currency, s.symbol, s.isin, s.is_cash_equivalent,
    latest.price, latest.date as price_as_of, profile.preferred_currency, profile.today
  from passbook.securities as s
  join passbook_read.current_user_profile as profile on profile.user_id = s.user_id
  left join lateral (
    select prices.price, prices.date from passbook.security_prices as prices
    where prices.user_id = s.user_id and prices.security_id = s.security_id and prices.date <= profile.today
    order by prices.date desc limit 1) as latest on true;

-- What open accounts hold. An account's balance already says what it is worth: these values are not added to it.
create view passbook_read.holdings as
  select h.user_id, a.bank_id, h.account_id, h.security_id, s.symbol, s.name, s.type, s.isin, h.quantity, s.price,
    s.price_as_of, passbook_read.value_cents(h.quantity, s.price) as value_cents, h.cost_basis_cents, s.currency,
    s.is_cash_equivalent,
    passbook_read.convert_on(
      passbook_read.value_cents(h.quantity, s.price), s.currency, s.preferred_currency, s.today) as converted_cents
  from passbook.holdings as h
  join passbook_read.open_accounts as a on a.user_id = h.user_id and a.account_id = h.account_id
  join passbook.priced_securities as s on s.user_id = h.user_id and s.security_id = h.security_id
  where h.quantity <> 0;

-- An address is shown by its ends only, and by less of it where the ends would be most of it.
create view passbook_read.wallets as
  select w.user_id, w.wallet_id, w.name, w.network,
    case when length(w.address) >= 16 then left(w.address, 4) || '…' || right(w.address, 4)
      else '…' || right(w.address, 2) end as address_masked,
    w.updated_at
  from passbook.wallets as w;

-- What each wallet holds today: the last stored quantity on or before today, unless it is nothing.
create view passbook_read.wallet_holdings as
  select held.user_id, held.wallet_id, held.security_id, s.symbol, s.name, held.quantity, s.price, s.price_as_of,
    passbook_read.value_cents(held.quantity, s.price) as value_cents, s.currency,
    passbook_read.convert_on(
      passbook_read.value_cents(held.quantity, s.price), s.currency, s.preferred_currency, s.today) as converted_cents
  from passbook.wallet_quantities as held
  join passbook.priced_securities as s on s.user_id = held.user_id and s.security_id = held.security_id
  where held.quantity <> 0
    and held.date = (
      select max(latest.date) from passbook.wallet_quantities as latest
      where latest.user_id = held.user_id and latest.wallet_id = held.wallet_id
        and latest.security_id = held.security_id and latest.date <= s.today);

create view passbook_read.paper_accounts as
  select p.user_id, p.paper_account_id, p.name, p.provider, p.currency, p.cash_cents, p.starting_balance_cents, p.updated_at
  from passbook.paper_accounts as p;

-- Open positions. A short position is worth less than nothing: what it would cost to buy back. Converted into the
-- currency of the simulated account, which alone its total is in.
create view passbook_read.paper_positions as
  select position.user_id, position.paper_account_id, position.security_id, s.symbol, s.name, position.side,
    position.quantity, position.average_entry_price, s.price as market_price, valuation.market_value_cents,
    valuation.cost_basis_cents, valuation.market_value_cents - valuation.cost_basis_cents as unrealized_pl_cents, s.currency,
    passbook_read.convert_on(valuation.market_value_cents, s.currency, p.currency, s.today) as converted_cents
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
      passbook_read.value_cents(signed.quantity, position.average_entry_price) as cost_basis_cents) as valuation
  where position.quantity > 0;

-- As stored. Each is read by security or wallet, and day.
create view passbook_read.security_prices as
  select prices.user_id, prices.security_id, prices.date, prices.price from passbook.security_prices as prices;

create view passbook_read.wallet_quantities as
  select held.user_id, held.wallet_id, held.security_id, held.date, held.quantity from passbook.wallet_quantities as held;

-- Everything that was ever in a wallet.
create view passbook_read.all_wallet_holdings as
  select held.user_id, held.wallet_id, held.security_id, held.first_date, s.currency, w.name
  from (
    select user_id, wallet_id, security_id, min(date) as first_date
    from passbook.wallet_quantities group by user_id, wallet_id, security_id) as held
  join passbook.securities as s on s.user_id = held.user_id and s.security_id = held.security_id
  join passbook.wallets as w on w.user_id = held.user_id and w.wallet_id = held.wallet_id;

-- For each time something without a price was in a wallet: the day from which on it is known what there was; infinity where
-- it is not known to this day.
create view passbook_read.valuation_gaps as
  select held.user_id, coalesce(least(held.changed_on, first_price.date), 'infinity') as day
  from (
    select q.user_id, q.security_id, q.date, q.quantity, profile.today,
      lead(q.date) over (partition by q.user_id, q.wallet_id, q.security_id order by q.date) as changed_on
    from passbook_read.wallet_quantities as q
    join passbook_read.current_user_profile as profile on profile.user_id = q.user_id
    where q.date <= profile.today) as held
  left join lateral (
    select min(prices.date) as date from passbook_read.security_prices as prices
    where prices.user_id = held.user_id and prices.security_id = held.security_id
      and prices.date <= held.today) as first_price on true
  where held.quantity <> 0 and (first_price.date is null or first_price.date > held.date);

create view passbook_read.category_totals as
  select t.user_id, t.period, t.measure, t.category, t.period_start, t.pending, t.unconverted_currency,
    t.transaction_count, t.cents, t.refund_count, t.refund_cents
  from passbook.category_totals as t;

create view passbook_read.account_category_totals as
  select t.user_id, t.account_id, t.period, t.measure, t.category, t.period_start, t.pending, t.unconverted_currency,
    t.transaction_count, t.cents, t.refund_count, t.refund_cents
  from passbook.account_category_totals as t;

create view passbook_read.merchant_totals as
  select t.user_id, t.period, t.merchant_key, t.period_start, t.account_id, t.category, t.pending, t.unconverted_currency,
    t.transaction_count, t.cents, t.refund_count, t.refund_cents
  from passbook.merchant_totals as t;

create view passbook_read.merchant_upper_bounds as
  select b.user_id, b.category, b.period_start, b.merchant_key, b.upper_bound_cents
  from passbook.merchant_upper_bounds as b
  where b.transaction_count <> 0;
