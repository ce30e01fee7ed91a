-- Own categories, tags and notes of a person: the labels of transactions. Fixed categories and their totals do not depend on
-- them. A label that the person sets or removes by hand wins over what sources give, and outlives the transaction: an import may
-- remove a transaction and bring it back with the same identifier. So no table here refers to a transaction.
--
-- Triggers store the labels that count in `transactions`, whoever writes.

create table passbook.own_categories (
  user_id uuid not null references passbook.users on delete cascade,
  -- Derived from the first name, under which sources know the category; a new name does not change it.
  own_category_id uuid not null,
  name passbook.display_name not null,
  search_name text not null generated always as (passbook_read.search_text(passbook_read.trim_white_space(name))) stored,
  -- The fixed category for which it stands.
  category text not null references passbook.categories,
  -- The category that contains it, which has no parent itself.
  parent_id uuid,
  has_parent boolean not null generated always as (parent_id is not null) stored,
  parent_has_parent boolean generated always as (case when parent_id is not null then false end) stored,
  primary key (user_id, own_category_id),
  unique nulls not distinct (user_id, parent_id, search_name),
  unique (user_id, own_category_id, has_parent),
  foreign key (user_id, parent_id, parent_has_parent)
    references passbook.own_categories (user_id, own_category_id, has_parent)
);

create table passbook.tags (
  user_id uuid not null references passbook.users on delete cascade,
  tag_id uuid not null,
  name passbook.display_name not null,
  search_name text not null generated always as (passbook_read.search_text(passbook_read.trim_white_space(name))) stored,
  primary key (user_id, tag_id),
  unique (user_id, search_name)
);

create domain passbook.note as text check (passbook_read.trim_white_space(value) <> '' and length(value) <= 500);

-- Own category and note of a transaction: what a source gives, and what the person says by hand, which may be none.
create table passbook.transaction_labels (
  user_id uuid not null references passbook.users on delete cascade,
  transaction_id uuid not null,
  given_own_category_id uuid,
  given_note passbook.note,
  is_own_category_by_hand boolean not null default false,
  own_category_id uuid check (is_own_category_by_hand or own_category_id is null),
  is_note_by_hand boolean not null default false,
  note passbook.note check (is_note_by_hand or note is null),
  primary key (user_id, transaction_id),
  foreign key (user_id, given_own_category_id) references passbook.own_categories on delete set null (given_own_category_id),
  foreign key (user_id, own_category_id) references passbook.own_categories on delete set null (own_category_id)
);

-- The tags of a transaction. By hand a tag is added (true) or removed (false).
create table passbook.transaction_tags (
  user_id uuid not null references passbook.users on delete cascade,
  transaction_id uuid not null,
  tag_id uuid not null,
  is_given boolean not null,
  by_hand boolean,
  primary key (user_id, transaction_id, tag_id),
  foreign key (user_id, tag_id) references passbook.tags on delete cascade,
  check (is_given or by_hand is not null)
);

-- The labels that count, computed for every stored transaction: at most 20 tags, those set by hand first.
create view passbook.recomputed_labels with (security_invoker = true) as
  select t.user_id, t.transaction_id,
    case when l.is_own_category_by_hand then l.own_category_id else l.given_own_category_id end as own_category_id,
    case when l.is_note_by_hand then l.note else l.given_note end as note,
    nullif(array(
      select g.tag_id from passbook.transaction_tags as g
      where g.user_id = t.user_id and g.transaction_id = t.transaction_id and coalesce(g.by_hand, g.is_given)
      order by g.by_hand nulls last, g.tag_id limit 20), '{}') as tag_ids
  from passbook.transactions as t
  left join passbook.transaction_labels as l on l.user_id = t.user_id and l.transaction_id = t.transaction_id;

-- What a request reads with the row of the user: the excluded categories, and four texts for each account, own category and
-- tag: its kind, identifier and name, and the bank of an account. Reading their tables each time would cost about as much as a list of 50 rows.
create view passbook.recomputed_names with (security_invoker = true) as
  select users.user_id,
    array(
      select excluded.category from passbook.excluded_categories as excluded
      where excluded.user_id = users.user_id order by excluded.category) as excluded_categories,
    array(
      select parts.part
      from (
        select 'account' as kind, a.account_id as id, a.name, b.name as bank_name
        from passbook.accounts as a
        join passbook.bank_connections as b on b.user_id = a.user_id and b.bank_id = a.bank_id
        where a.user_id = users.user_id
        union all
        select 'own category', c.own_category_id, c.name, null from passbook.own_categories as c where c.user_id = users.user_id
        union all
        select 'tag', tags.tag_id, tags.name, null from passbook.tags where tags.user_id = users.user_id) as named
      cross join lateral unnest(array[named.kind, named.id::text, named.name, named.bank_name]) with ordinality
        as parts (part, position)
      order by named.kind, named.id, parts.position) as names
  from passbook.users;

set local role passbook_deriver;

-- Stores the labels of the transactions to which the written rows belong. What sources gave to a deleted transaction is deleted.
-- Transactions of people without labels cost one look-up for each person.
create function passbook.derive_labels() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
declare
  key_users uuid[];
  key_ids uuid[];
begin
  if tg_relid = 'passbook.transactions'::regclass and tg_op = 'DELETE' then
    delete from passbook.transaction_labels as l using old_rows as gone
    where l.user_id = gone.user_id and l.transaction_id = gone.transaction_id
      and not l.is_own_category_by_hand and not l.is_note_by_hand;
    update passbook.transaction_labels as l set given_own_category_id = null, given_note = null
    from old_rows as gone where l.user_id = gone.user_id and l.transaction_id = gone.transaction_id;
    delete from passbook.transaction_tags as g using old_rows as gone
    where g.user_id = gone.user_id and g.transaction_id = gone.transaction_id and g.by_hand is null;
    update passbook.transaction_tags as g set is_given = false
    from old_rows as gone where g.user_id = gone.user_id and g.transaction_id = gone.transaction_id;
    return null;
  elsif tg_relid = 'passbook.transactions'::regclass then
    select array_agg(rows.user_id), array_agg(rows.transaction_id) into key_users, key_ids
    from (
      select people.user_id from (select distinct rows.user_id from new_rows as rows) as people
      where exists (select from passbook.transaction_labels as l where l.user_id = people.user_id)
        or exists (select from passbook.transaction_tags as g where g.user_id = people.user_id)
      offset 0) as people
    join new_rows as rows on rows.user_id = people.user_id;
  elsif tg_op = 'INSERT' then
    select array_agg(rows.user_id), array_agg(rows.transaction_id) into key_users, key_ids from new_rows as rows;
  elsif tg_op = 'DELETE' then
    select array_agg(rows.user_id), array_agg(rows.transaction_id) into key_users, key_ids from old_rows as rows;
  else
    select array_agg(rows.user_id), array_agg(rows.transaction_id) into key_users, key_ids
    from (
      select o.user_id, o.transaction_id from old_rows as o union select n.user_id, n.transaction_id from new_rows as n) as rows;
  end if;
  if key_ids is null then
    return null;
  end if;
  perform from passbook.users where users.user_id = any (key_users) order by users.user_id for no key update;
  /* The labels of a deleted user are deleted before the transactions, whose accounts are gone: no update may check their keys. */
  if not found then
    return null;
  end if;
  /* A writer with an older snapshot, which does not see these labels, fails instead of storing their transaction without them. */
  if tg_relid <> 'passbook.transactions'::regclass then
    update passbook.users set data_version = users.data_version + 1 where users.user_id = any (key_users);
  end if;
  update passbook.transactions as t
  set own_category_id = labels.own_category_id, tag_ids = labels.tag_ids, note = labels.note
  from unnest(key_users, key_ids) as keys (user_id, id)
  join passbook.recomputed_labels as labels on labels.user_id = keys.user_id and labels.transaction_id = keys.id
  where t.user_id = keys.user_id and t.transaction_id = keys.id
    and (t.own_category_id, t.tag_ids, t.note) is distinct from (labels.own_category_id, labels.tag_ids, labels.note);
  return null;
end
$$;

-- Stores the names of the users whose rows were written. Locks no user whose names are the same, such as after a new balance.
create function passbook.derive_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
declare
  changed uuid[];
begin
  changed := array(
    select users.user_id
    from passbook.users
    join passbook.recomputed_names as computed on computed.user_id = users.user_id
    where users.user_id in (select rows.user_id from rows)
      and (users.excluded_categories, users.names) is distinct from (computed.excluded_categories, computed.names)
    order by users.user_id for no key update of users);
  if changed <> '{}' then
    /* Another statement, which sees what another writer has stored before it unlocked the row. */
    update passbook.users set excluded_categories = computed.excluded_categories, names = computed.names
    from passbook.recomputed_names as computed
    where users.user_id = any (changed) and computed.user_id = users.user_id;
  end if;
  return null;
end
$$;

grant execute on function passbook.derive_labels(), passbook.derive_names() to passbook_owner;
set local role passbook_owner;

do $$
declare
  labelled text;
  named text;
  written text;
begin
  foreach named in array array['excluded_categories', 'accounts', 'bank_connections', 'own_categories', 'tags'] loop
    foreach written in array array['insert new', 'update new', 'update old', 'delete old'] loop
      execute format('create trigger derive_names_after_%s after %s on passbook.%I referencing %s table as rows
        for each statement execute function passbook.derive_names()',
        replace(written, ' ', '_'), split_part(written, ' ', 1), named, split_part(written, ' ', 2));
    end loop;
  end loop;
  foreach labelled in array array['transactions', 'transaction_labels', 'transaction_tags'] loop
    execute format('create trigger derive_labels_of_inserted after insert on passbook.%I
      referencing new table as new_rows for each statement execute function passbook.derive_labels()', labelled);
    execute format('create trigger derive_labels_of_deleted after delete on passbook.%I
      referencing old table as old_rows for each statement execute function passbook.derive_labels()', labelled);
    if labelled <> 'transactions' then
      execute format('create trigger derive_labels_of_updated after update on passbook.%I
        referencing old table as old_rows new table as new_rows for each statement execute function passbook.derive_labels()',
        labelled);
    end if;
  end loop;
end
$$;
