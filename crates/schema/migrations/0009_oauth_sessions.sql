-- Sessions of OAuth clients, which may be taken back one by one, and the grants in two layers: what Passbook's own tables
-- say, and the view that a deployment may redefine on top of it.

-- A sign-in that somebody ended. A token of a session that is not here is as good as its client: nothing has to be
-- written when people sign in, and a row can only take access away. The client says where the session came from; what is
-- revoked stays so when the client is forgotten.
create table passbook.oauth_sessions (
  user_id uuid not null references passbook.users on delete cascade,
  session_id text not null check (length(session_id) between 1 and 200),
  client_id text references passbook.oauth_clients on delete set null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (user_id, session_id)
);

alter table passbook.oauth_sessions enable row level security;
alter table passbook.oauth_sessions force row level security;
create policy own_rows on passbook.oauth_sessions to passbook_owner
  using (user_id = (select passbook.current_user_id()));
create policy writer on passbook.oauth_sessions to passbook_writer using (true) with check (true);
grant select, insert, update, delete on passbook.oauth_sessions to passbook_writer;

-- The session that the presented token belongs to, as its issuer names it; null when the token names none.
create function passbook_read.session_id() returns text
language sql stable parallel safe as $$ select nullif(current_setting('app.session_id', true), '') $$;

-- What Passbook's own tables say of a credential. Consent and session, where they are recorded, can only take away.
create view passbook.recorded_grants as
  select
    users.user_id,
    'personal_access_token' as credential,
    tokens.token_id::text as reference,
    tokens.user_id as owner_user_id,
    tokens.scopes,
    tokens.rest,
    tokens.mcp,
    tokens.revoked_at is not null as revoked,
    tokens.expires_at <= now() as expired
  from passbook.users
  join passbook.personal_access_tokens as tokens on tokens.user_id = users.user_id
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
create or replace view passbook_read.grants as
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

drop function passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date);

-- Opens the reading transaction: names the user to the wall, resolves the days that are asked about, and says
-- who asks, what the credential may do and the person's settings. One row, or none when the user is unknown.
-- The range 'month' asks for a whole month; a year or month left out is the current one. A session is named before the
-- grant is looked up, which it may end.
create function passbook_read.open_session(
  of_user uuid, of_credential text, of_reference text,
  date_from date, date_to date, time_range text, asked_year integer, asked_month integer, fixed_today date,
  of_session text default null)
returns table (
  email text, preferred_currency text, today date, excluded_categories text[],
  grant_found boolean, owner_user_id uuid, scopes text[], rest boolean, mcp boolean, revoked boolean, expired boolean,
  first_day date, last_day date)
language plpgsql volatile as $$
declare
  person record;
  range record;
begin
  perform
    set_config('app.user_id', of_user::text, true),
    set_config('app.session_id', coalesce(of_session, ''), true),
    set_config('app.today', coalesce(fixed_today::text, ''), true);
  select * into person from passbook_read.people as people where people.user_id = of_user;
  select * into range from passbook_read.resolve_range(
    person.today, open_session.date_from, open_session.date_to, open_session.time_range,
    case when open_session.time_range = 'month' then coalesce(asked_year, extract(year from person.today)::integer) end,
    case when open_session.time_range = 'month' then coalesce(asked_month, extract(month from person.today)::integer) end);
  perform
    set_config('app.first_day', coalesce(range.first_day, '-infinity')::text, true),
    set_config('app.last_day', coalesce(range.last_day, 'infinity')::text, true);
  if person.user_id is null then
    return;
  end if;
  return query
    select
      person.email, person.preferred_currency, person.today, person.excluded_categories,
      grants.user_id is not null, grants.owner_user_id, grants.scopes, grants.rest, grants.mcp, grants.revoked,
      grants.expired, range.first_day, range.last_day
    from (values (of_user)) as asked (user_id)
    left join passbook_read.grants as grants
      on grants.user_id = asked.user_id and grants.credential = of_credential and grants.reference = of_reference;
end
$$;

revoke all on function
  passbook_read.session_id(),
  passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date, text) from public;
grant execute on function
  passbook_read.session_id(),
  passbook_read.open_session(uuid, text, text, date, date, text, integer, integer, date, text) to passbook_reader;
