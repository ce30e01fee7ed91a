-- Fewer joins for every request: an account has the name of its bank, and a grant of a token needs no row of the user.

-- The foreign key keeps both names equal: renaming a bank renames it in its accounts.
alter table passbook.banks add constraint banks_name_key unique (user_id, bank_id, name);
alter table passbook.accounts add column bank_name text;

alter table passbook.banks no force row level security;
alter table passbook.accounts no force row level security;
update passbook.accounts as a
set bank_name = b.name
from passbook.banks as b
where b.user_id = a.user_id and b.bank_id = a.bank_id;
alter table passbook.banks force row level security;
alter table passbook.accounts force row level security;

alter table passbook.accounts alter column bank_name set not null;
alter table passbook.accounts drop constraint accounts_user_id_bank_id_fkey;
alter table passbook.accounts add constraint accounts_bank_fkey
  foreign key (user_id, bank_id, bank_name) references passbook.banks (user_id, bank_id, name)
  on update cascade on delete cascade;

-- Writers name the bank only by its identifier. An unknown bank violates the foreign key. The lock makes a writer wait for
-- another one who renames the bank.
create function passbook.set_bank_name() returns trigger
language plpgsql as $$
begin
  select banks.name into new.bank_name
  from passbook.banks
  where banks.user_id = new.user_id and banks.bank_id = new.bank_id
  for key share;
  new.bank_name := coalesce(new.bank_name, '');
  return new;
end
$$;
revoke all on function passbook.set_bank_name() from public;

create trigger set_bank_name before insert or update of user_id, bank_id, bank_name on passbook.accounts
  for each row execute function passbook.set_bank_name();

-- THE READING CONTRACT ----------------------------------------------------------------------------------------

-- Every transaction that exists for any answer, with the stored facts. The joins find at most one row each, so
-- PostgreSQL leaves out a join whose columns a query does not use.
create or replace view passbook_read.transactions as
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
create or replace view passbook_read.account_names as
  select a.user_id, a.account_id, a.name as account_name, a.bank_name
  from passbook.accounts as a;

-- The users. Readers sort the excluded categories: sorting two words costs an executor more than reading them.
create or replace view passbook_read.people as
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
create or replace view passbook.recorded_grants as
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
