-- The reading contract: what the server may see, and the rules that every number obeys, each in one place. The reader has
-- rights on the schema passbook_read only.

-- The reading contract: what the server may see, and the rules that every number obeys, each in one place.
-- The reader holds rights on this schema only; the tables behind it are out of its reach.
create view passbook_read.schema_version as
  select migrations.version, migrations.sha256 from passbook.migrations order by migrations.version desc limit 1;

-- The users. Readers sort the excluded categories: sorting two words costs an executor more than reading them.
create view passbook_read.people as
  select
    users.user_id,
    users.email,
    users.preferred_currency,
    users.time_zone,
    passbook_read.today_in(users.time_zone) as today,
    array(
      select excluded.category
      from passbook.excluded_categories as excluded
      where excluded.user_id = users.user_id) as excluded_categories
  from passbook.users;

-- What Passbook's own tables say of a credential. Consent and session, where they are recorded, can only take away.
create view passbook.recorded_grants as
  select
    tokens.user_id,
    'personal_access_token' as credential,
    tokens.token_id::text as reference,
    tokens.user_id as owner_user_id,
    tokens.scopes,
    tokens.rest,
    tokens.mcp,
    tokens.revoked_at is not null as revoked,
    tokens.expires_at <= now() as expired
  from passbook.personal_access_tokens as tokens
  -- A presented token is visible before its user is known, and is no grant then.
  where tokens.user_id = (select passbook.current_user_id())
  union all
  select
    users.user_id,
    'oauth_client',
    clients.client_id,
    clients.owner_user_id,
    clients.scopes,
    clients.rest,
    clients.mcp,
    clients.revoked_at is not null
      or exists (
        select from passbook.oauth_consents as consents
        where consents.user_id = users.user_id and consents.client_id = clients.client_id
          and consents.revoked_at is not null)
      or exists (
        select from passbook.oauth_sessions as sessions
        where sessions.user_id = users.user_id and sessions.session_id = passbook_read.session_id()
          and sessions.revoked_at is not null),
    false
  from passbook.users
  cross join passbook.oauth_clients as clients;

-- What a credential may do. A deployment may redefine this view over its own tables, or on top of the recorded grants,
-- keeping the columns. owner_user_id is the one person an owner-only client serves, null when it serves everyone.
create view passbook_read.grants as
  select
    recorded.user_id,
    recorded.credential,
    recorded.reference,
    recorded.owner_user_id,
    recorded.scopes,
    recorded.rest,
    recorded.mcp,
    recorded.revoked,
    recorded.expired
  from passbook.recorded_grants as recorded;

create view passbook_read.categories as
  select c.category, c.side, c.category_group from passbook.categories as c;

create view passbook_read.excluded_categories as
  select excluded.user_id, excluded.category from passbook.excluded_categories as excluded;

create view passbook_read.budgets as
  select budgets.user_id, budgets.budget_id, budgets.category, categories.side, budgets.target_cents, budgets.currency
  from passbook.budgets
  join passbook.categories using (category);

-- Every transaction that exists for any answer, with the stored facts. The joins find at most one row each, so
-- PostgreSQL leaves out a join whose columns a query does not use.
create view passbook_read.transactions as
  select
    t.user_id,
    t.transaction_id,
    t.date,
    t.type,
    t.category,
    t.amount_cents,
    t.currency,
    t.title,
    t.pending,
    t.provider_category,
    t.merchant_name,
    t.merchant_key,
    t.merchant_search,
    t.title_search,
    t.account_id,
    accounts.name as account_name,
    accounts.bank_name,
    t.shown_link as linked_transaction_id,
    t.type = 'EXPENSE' and exists (
      select from passbook.excluded_categories as excluded
      where excluded.user_id = t.user_id and excluded.category = t.category) as excluded,
    states.currency as preferred_currency,
    t.converted_cents
  from passbook.transactions as t
  left join passbook.accounts on accounts.user_id = t.user_id and accounts.account_id = t.account_id
  left join passbook.derived_states as states on states.user_id = t.user_id
  where not t.replaced;

-- The names of accounts and of their banks, which a long list reads once and not for each of its rows.
create view passbook_read.account_names as
  select a.user_id, a.account_id, a.name as account_name, a.bank_name
  from passbook.accounts as a;

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

-- The banks of a user. `reconciled_through`: the day through which files prove the transactions of every open account.
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
    case when b.last_successful_update is not null then
      greatest(people.today - (b.last_successful_update at time zone people.time_zone)::date, 0)
    end as days_since_update,
    (select count(*) from passbook_read.open_accounts as open
      where open.user_id = b.user_id and open.bank_id = b.bank_id) as account_count,
    (select case when count(*) = count(proofs.reconciled_through) then min(proofs.reconciled_through) end
      from passbook_read.open_accounts as open
      left join passbook.import_accounts as proofs
        on proofs.user_id = open.user_id and proofs.account_id = open.account_id
      where open.user_id = b.user_id and open.bank_id = b.bank_id) as reconciled_through
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

-- As stored. Each is read by person, account or security, and day.
create view passbook_read.balance_snapshots as
  select s.user_id, s.account_id, s.as_of, s.balance_cents from passbook.balance_snapshots as s;

create view passbook_read.security_prices as
  select prices.user_id, prices.security_id, prices.as_of, prices.price from passbook.security_prices as prices;

create view passbook_read.wallet_quantities as
  select held.user_id, held.wallet_id, held.security_id, held.as_of, held.quantity from passbook.wallet_holdings as held;

-- Every account there ever was, closed ones included, with the first day on which its balance is known.
create view passbook_read.accounts_ever as
  select
    a.user_id,
    a.account_id,
    a.currency,
    a.balance_cents,
    a.closed_on,
    (select min(s.as_of) from passbook.balance_snapshots as s
      where s.user_id = a.user_id and s.account_id = a.account_id) as first_as_of,
    a.type,
    a.name
  from passbook.accounts as a;

-- Everything that was ever in a wallet.
create view passbook_read.wallet_contents_ever as
  select held.user_id, held.wallet_id, held.security_id, held.first_as_of, s.currency, w.name
  from (
    select user_id, wallet_id, security_id, min(as_of) as first_as_of
    from passbook.wallet_holdings group by user_id, wallet_id, security_id) as held
  join passbook.securities as s on s.user_id = held.user_id and s.security_id = held.security_id
  join passbook.wallets as w on w.user_id = held.user_id and w.wallet_id = held.wallet_id;

-- For each account, and for each time something without a price was in a wallet: the day from which on it is known
-- what there was; infinity where it is not known to this day.
create view passbook_read.known_since as
  select a.user_id, least(a.first_as_of, a.closed_on, people.today) as day
  from passbook_read.accounts_ever as a
  join passbook_read.people as people on people.user_id = a.user_id
  union all
  select held.user_id, coalesce(least(held.changed_on, first_price.as_of), 'infinity')
  from (
    select q.user_id, q.security_id, q.as_of, q.quantity, people.today,
      lead(q.as_of) over (partition by q.user_id, q.wallet_id, q.security_id order by q.as_of) as changed_on
    from passbook_read.wallet_quantities as q
    join passbook_read.people as people on people.user_id = q.user_id
    where q.as_of <= people.today) as held
  left join lateral (
    select min(prices.as_of) as as_of from passbook_read.security_prices as prices
    where prices.user_id = held.user_id and prices.security_id = held.security_id
      and prices.as_of <= held.today) as first_price on true
  where held.quantity <> 0 and (first_price.as_of is null or first_price.as_of > held.as_of);

create view passbook_read.totals as
  select t.user_id, t.unit, t.kind, t.category, t.first_day, t.pending, t.currency, t.transaction_count, t.cents
  from passbook.totals as t;

create view passbook_read.account_totals as
  select t.user_id, t.account_id, t.unit, t.kind, t.category, t.first_day, t.pending, t.currency, t.transaction_count, t.cents
  from passbook.account_totals as t;

-- The reading contract of totals by merchant and by account.
create view passbook_read.merchant_totals as
  select t.user_id, t.unit, t.merchant_key, t.first_day, t.account_id, t.category, t.pending, t.currency, t.transaction_count,
    t.cents
  from passbook.merchant_totals as t;

create view passbook_read.merchant_bounds as
  select b.user_id, b.category, b.first_day, b.merchant_key, b.bound from passbook.merchant_bounds as b;

-- What each row adds to totals: an expense or income by its category, a refund also by the category of its purchase.
create view passbook_read.contributions as
  select t.user_id, t.account_id, parts.kind, parts.category, t.date, t.pending,
    case when t.converted_cents is null then t.currency else '' end as currency,
    coalesce(t.converted_cents, t.amount_cents) as cents
  from passbook.transactions as t
  cross join lateral (values (t.type, t.category), ('REFUND', t.purchase_category)) as parts (kind, category)
  where not t.replaced and t.type <> 'INTERNAL_TRANSFER' and parts.category is not null;

-- What each expense adds to the totals of its merchant.
create view passbook_read.merchant_expenses as
  select t.user_id, t.merchant_key, t.date, t.account_id, t.category, t.pending,
    case when t.converted_cents is null then t.currency else '' end as currency,
    coalesce(t.converted_cents, t.amount_cents) as cents
  from passbook.transactions as t
  where not t.replaced and t.type = 'EXPENSE' and t.merchant_key is not null;
