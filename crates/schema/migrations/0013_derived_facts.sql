-- Facts that are derived from several rows and stored with each transaction: the amount in the person's preferred currency,
-- whether the row is replaced by its posted twin, the link that is shown, and the category of a refund's purchase.
--
-- Triggers keep the facts right in the transaction of the writer, for every writer and every statement. The triggers run
-- with the rights of the writer, so that row-level security applies to them too.
--
-- Concurrent writers. A statement that writes transactions locks the row of `rate_state` in share mode, and then the rows
-- of `derived_states` of its users until the end of the transaction. Writers of one user therefore run one after the other,
-- and each sees the rows that the others have committed. Writers of different users do not wait for each other. A statement
-- that writes exchange rates locks `rate_state` exclusively, so no row is converted at the same time. Each writer also
-- increments a version in the row that it has locked: a transaction with an older snapshot (repeatable read) then fails
-- with a serialisation error instead of computing from old rows.

-- CHEAPER FUNCTIONS --------------------------------------------------------------------------------------------

-- The results are unchanged. Most texts are ASCII, for which lower case by "C" is the same and needs neither ICU nor a
-- regular expression. The functions are not strict, because PostgreSQL inlines no strict function with a `case`; null gives
-- null all the same.
create or replace function passbook_read.fold(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C") collate "und-x-icu"
  else replace(replace(replace(replace(
    translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
      'øłđðħıŧŋĸſ', 'olddhitnks'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
end;

create or replace function passbook_read.merchant_key(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(btrim(value, E' \t\r\n') collate "C") collate "und-x-icu"
  else lower(passbook_read.merchant_spelling(value) collate "und-x-icu")
end;

-- In one query. The rule is unchanged.
create or replace function passbook_read.rate_on(wanted text, day date) returns numeric
language plpgsql stable parallel safe as $$
begin
  return (
    select case when base.currency = wanted then 1 else (
      select rates.units_per_base from passbook_read.exchange_rates as rates
      where rates.currency = wanted and rates.as_of between day - 31 and day
      order by rates.as_of desc limit 1) end
    from passbook_read.rate_base as base);
end
$$;

-- STATES AND LOCKS --------------------------------------------------------------------------------------------

-- One row per user: the currency of the user's converted amounts. Writers of the user's rows lock this row.
create table passbook.derived_states (
  user_id uuid primary key references passbook.users on delete cascade,
  currency text not null,
  version bigint not null default 0
);

alter table passbook.derived_states enable row level security;
alter table passbook.derived_states force row level security;
create policy own_rows on passbook.derived_states to passbook_owner
  using (user_id = (select passbook.current_user_id()));
create policy writer on passbook.derived_states to passbook_writer using (true) with check (true);

-- One row. Writers of exchange rates lock it exclusively, writers of transactions in share mode.
create table passbook.rate_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0
);

insert into passbook.rate_state default values;

-- Triggers of a writer write these tables; `reject_direct_write` rejects every other statement.
grant select, insert, update, delete on passbook.derived_states to passbook_writer;
grant select, update on passbook.rate_state to passbook_writer;
grant select on passbook_read.rate_base, passbook_read.exchange_rates to passbook_writer;
grant execute on function passbook_read.rate_on(text, date), passbook_read.convert_cents(bigint, numeric, numeric),
  passbook_read.convert_at(bigint, text, numeric, text, numeric),
  passbook_read.convert_on(bigint, text, text, date) to passbook_writer;

create function passbook.reject_direct_write() returns trigger
language plpgsql as $$
begin
  raise exception 'the table passbook.% is derived from other tables and cannot be written directly', tg_table_name
    using errcode = 'insufficient_privilege', hint = 'Write the other tables: triggers maintain this one.';
end
$$;

-- The passes in which a trigger does its work: one pass, null, if the current role sees the rows of all users; else one
-- pass per user, for which the trigger sets `app.user_id`. The latter happens when the owner of the tables writes, which
-- PostgreSQL 18 also does for the triggers of cascading statements.
create function passbook.passes(of_users uuid[]) returns setof uuid
language plpgsql stable as $$
begin
  if not row_security_active('passbook.derived_states')
    or pg_has_role(current_user, 'passbook_writer', 'usage') then
    return next null::uuid;
  else
    return query select distinct one.user_id from unnest(of_users) as one (user_id) order by one.user_id;
  end if;
end
$$;

-- COLUMNS -----------------------------------------------------------------------------------------------------

alter table passbook.transactions
  -- In the currency of `derived_states`, at the rate of the row's own date; null without a rate.
  add column converted_cents bigint,
  -- True for a pending row whose posted twin is stored: no answer contains it.
  add column replaced boolean not null default false,
  -- The link that is shown: a link to a replaced row leads to its posted twin.
  add column shown_link uuid,
  -- Of a refund: the category of the purchase to which `shown_link` leads.
  add column purchase_category text;

alter view passbook.posted_twins set (security_invoker = true);

-- The derived links of every stored row, computed from the rows that they depend on.
create view passbook.computed_links with (security_invoker = true) as
  select
    t.user_id,
    t.transaction_id,
    t.pending and exists (
      select from passbook.posted_twins as twins
      where twins.user_id = t.user_id and twins.pending_id = t.transaction_id) as replaced,
    shown.link as shown_link,
    case when t.category = 'REFUND' and shown.link is not null then (
      select purchase.category from passbook.transactions as purchase
      where purchase.user_id = t.user_id and purchase.transaction_id = shown.link and purchase.type = 'EXPENSE')
    end as purchase_category
  from passbook.transactions as t
  cross join lateral (
    -- A link to a replaced pending row leads on to its posted twin; the twin's own link to it is omitted.
    select case when t.linked_transaction_id is not null then nullif(coalesce((
      select twins.transaction_id from passbook.posted_twins as twins
      where twins.user_id = t.user_id and twins.pending_id = t.linked_transaction_id
      order by twins.transaction_id <> t.transaction_id, twins.transaction_id
      limit 1), t.linked_transaction_id), t.transaction_id) end as link
    -- Computed once per row, although it is used twice.
    offset 0) as shown;

grant select on passbook.posted_twins, passbook.computed_links to passbook_writer;

-- The rows that are stored already. The owner sees the rows of all users while row-level security is not forced.
alter table passbook.users no force row level security;
alter table passbook.transactions no force row level security;
alter table passbook.derived_states no force row level security;

insert into passbook.derived_states (user_id, currency)
select users.user_id, users.preferred_currency from passbook.users;

update passbook.transactions as t
set
  converted_cents = passbook_read.convert_on(t.amount_cents, t.currency, states.currency, t.date),
  replaced = links.replaced,
  shown_link = links.shown_link,
  purchase_category = links.purchase_category
from passbook.derived_states as states, passbook.computed_links as links
where states.user_id = t.user_id and links.user_id = t.user_id and links.transaction_id = t.transaction_id;

alter table passbook.users force row level security;
alter table passbook.transactions force row level security;
alter table passbook.derived_states force row level security;

create trigger reject_direct_write before insert or update or delete on passbook.derived_states
  for each statement when (pg_trigger_depth() = 0) execute function passbook.reject_direct_write();
create trigger reject_direct_write before insert or update or delete on passbook.rate_state
  for each statement when (pg_trigger_depth() = 0) execute function passbook.reject_direct_write();
