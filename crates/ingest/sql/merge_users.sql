-- Merges people and replaces their excluded categories. Returns the numbers of people inserted, updated and unchanged;
-- a person is updated if a setting or an excluded category changed.
with staged as (
  select user_id, email, preferred_currency, time_zone, excluded_categories from pg_temp.load_users
), wanted as (
  select staged.user_id, excluded.category
  from staged cross join unnest(staged.excluded_categories) as excluded (category)
), merged as (
  insert into passbook.users as stored (user_id, email, preferred_currency, time_zone)
  select user_id, email, preferred_currency, time_zone from staged order by user_id
  on conflict (user_id) do update
    set email = excluded.email, preferred_currency = excluded.preferred_currency,
      time_zone = excluded.time_zone
    where row(stored.email, stored.preferred_currency, stored.time_zone)
      is distinct from row(excluded.email, excluded.preferred_currency, excluded.time_zone)
  -- A row that this statement inserted has never been locked or replaced: its xmax is 0.
  returning stored.user_id, stored.xmax = 0 as is_new
), removed as (
  delete from passbook.excluded_categories as stored
  using staged
  where stored.user_id = staged.user_id and stored.category <> all (staged.excluded_categories)
  returning stored.user_id
), added as (
  insert into passbook.excluded_categories (user_id, category)
  select user_id, category from wanted order by user_id, category
  on conflict (user_id, category) do nothing
  returning user_id
), changed as (
  select user_id from merged union select user_id from removed union select user_id from added
)
select
  (select count(*) from merged where is_new),
  (select count(*) from changed) - (select count(*) from merged where is_new),
  (select count(*) from staged) - (select count(*) from changed)
