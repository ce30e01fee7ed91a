-- A bundle with a person, their banks and accounts, and the exchange rates.
-- Variable of psql: email.
select json_build_object(
  'format', 'passbook-bundle', 'version', 1, 'rate_base', 'EUR',
  'exchange_rates', (
    select json_agg(json_build_object('currency', currency, 'as_of', date, 'units_per_base', rate::text))
    from passbook.exchange_rates),
  'users', json_build_array(json_build_object(
    'id', u.user_id, 'email', u.email, 'preferred_currency', u.preferred_currency, 'time_zone', u.time_zone,
    'excluded_categories', '[]'::json)),
  'banks', (
    select json_agg(json_build_object('user', b.user_id, 'id', b.bank_id, 'name', b.name))
    from passbook.bank_connections as b where b.user_id = u.user_id),
  'accounts', (
    select json_agg(json_build_object(
      'user', a.user_id, 'id', a.account_id, 'bank', a.bank_id, 'name', a.name, 'type', a.type, 'subtype', a.subtype,
      'currency', a.currency, 'balance_cents', a.balance_cents, 'balance_updated_at', '2026-11-21T00:00:00Z'))
    from passbook.accounts as a where a.user_id = u.user_id))
from passbook.users as u
where u.email = :'email';
