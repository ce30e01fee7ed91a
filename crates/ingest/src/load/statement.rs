//! The SQL statements that every table needs, built only from the constants that describe the table.

use super::row::{Column, Reference, Table};
use super::table::TABLES;

/// Returns the statement that creates an empty staging table for one transaction only; an empty text if no staging table
/// has the name.
pub(super) fn create_staging(name: &str) -> String {
    let of = |kind| name.strip_prefix(kind).and_then(|name| TABLES.iter().find(|table| table.name == name));
    match (of("load_"), of("delete_")) {
        (Some(table), _) => create_one(table),
        (_, Some(table)) => create_deletion(table),
        _ if name == "load_people" => CREATE_PEOPLE.to_owned(),
        _ => String::new(),
    }
}

/// Creates the empty table of the people whose rows a load may or may not write.
const CREATE_PEOPLE: &str = "create temp table load_people (
   user_id uuid not null, email text not null, is_stored boolean not null, is_permitted boolean not null)
 on commit drop;\n";

fn create_one(table: &Table) -> String {
    let columns = list(table.columns(), |column| format!("{} {}", column.name, column.sql_type));
    let name = table.name;
    format!(
        "create temp table load_{name} (position bigint not null, place text not null, {columns})
         on commit drop;\n"
    )
}

/// Returns the statement that copies rows into the staging table.
pub(super) fn receive(table: &Table) -> String {
    let columns = list(table.columns(), |column| column.name.to_owned());
    format!("copy pg_temp.load_{} (position, place, {columns}) from stdin (format binary)", table.name)
}

/// Returns the statement that creates the staging table for the keys of rows to delete. A column `shown_…` contains the
/// identifier that the input names if the text is an identifier that Passbook shows.
fn create_deletion(table: &Table) -> String {
    let key: String = table.key.iter().map(|key| format!(", {} {}", key.name, key.sql_type)).collect();
    let shown: String = table.identifiers().map(|key| format!(", shown_{} uuid", key.name)).collect();
    let name = table.name;
    format!(
        "create temp table delete_{name} (position bigint not null, place text not null{key}{shown})
         on commit drop;\n"
    )
}

/// Returns the statement that copies keys into the staging table of rows to delete.
pub(super) fn receive_deletions(table: &Table) -> String {
    let key: String = table.key.iter().map(|column| format!(", {}", column.name)).collect();
    let shown: String = table.identifiers().map(|column| format!(", shown_{}", column.name)).collect();
    format!("copy pg_temp.delete_{} (position, place{key}{shown}) from stdin (format binary)", table.name)
}

/// Returns the statements that replace each identifier in the key of a row to delete by the shown identifier, if only
/// the latter is the identifier of a stored row.
pub(super) fn resolve_shown_identifiers(table: &Table) -> String {
    let one = |column: &Column| {
        let (name, column) = (table.name, column.name);
        let owner = TABLES.iter().find(|owner| matches!(owner.key, [_, own] if own.name == column));
        let relation = owner.expect("every identifier belongs to a table").relation();
        format!(
            "update pg_temp.delete_{name} as named set {column} = shown_{column}
             where shown_{column} is not null
               and not exists (select from passbook.{relation} as known
                 where known.user_id = named.user_id and known.{column} = named.{column})
               and exists (select from passbook.{relation} as known
                 where known.user_id = named.user_id and known.{column} = named.shown_{column});\n"
        )
    };
    table.identifiers().map(one).collect()
}

/// Returns the query that finds keys of rows to delete whose row is also to be stored. Its columns are the place, the
/// place of the row to store, and the total number. `$1` is the maximum number of rows.
pub(super) fn find_stored_and_deleted_rows(table: &Table) -> String {
    let same_key = all(table.key.iter(), |column| format!("given.{0} = deleted.{0}", column.name));
    let name = table.name;
    format!(
        "select deleted.place, given.place, count(*) over ()
         from pg_temp.delete_{name} as deleted join pg_temp.load_{name} as given on {same_key}
         order by deleted.position, given.position limit $1"
    )
}

/// Returns the query that finds keys of rows to delete whose user is neither stored nor staged. Its columns are the
/// place and the total number. `$1` is the maximum number of rows.
pub(super) fn find_deletions_of_unknown_users(table: &Table) -> String {
    format!(
        "select deleted.place, count(*) over ()
         from pg_temp.delete_{} as deleted
         where not exists (select from pg_temp.load_users as known where known.user_id = deleted.user_id)
           and not exists (select from passbook.users as known where known.user_id = deleted.user_id)
         order by deleted.position limit $1",
        table.name
    )
}

/// Returns the query that finds rows to delete that belong to an imported ledger or to imported files; `None` if imports
/// store no rows in the table. Its columns are the place, the identifier of the ledger or "imported files", and the total
/// number. `$1` is the maximum number of rows. A security belongs to a ledger if an account of the ledger holds it.
pub(super) fn find_imported_rows(table: &Table) -> Option<String> {
    let owner = match table.name {
        "accounts" | "balance_snapshots" | "holdings" | "transactions" => {
            "join passbook.accounts as owner
               on owner.user_id = stored.user_id and owner.account_id = stored.account_id"
        }
        "banks" => {
            "join passbook.accounts as owner on owner.user_id = stored.user_id and owner.bank_id = stored.bank_id"
        }
        "securities" | "security_prices" => {
            "join passbook.holdings as held
               on held.user_id = stored.user_id and held.security_id = stored.security_id
             join passbook.accounts as owner
               on owner.user_id = held.user_id and owner.account_id = held.account_id"
        }
        _ => return None,
    };
    // The next import would store a transaction again, and would take the files of an account for known.
    let is_of_files = match table.name {
        "transactions" => "stored.imported",
        "accounts" => {
            "exists (select from passbook.import_statements as files
               where files.user_id = stored.user_id and files.account_id = stored.account_id)"
        }
        _ => "false",
    };
    let same_key = all(table.key.iter(), |column| format!("stored.{0} = deleted.{0}", column.name));
    let (name, relation) = (table.name, table.relation());
    Some(format!(
        "select deleted.place, coalesce(min(owner.ledger_id), 'imported files'), count(*) over ()
         from pg_temp.delete_{name} as deleted join passbook.{relation} as stored on {same_key} {owner}
         where owner.ledger_id is not null or {is_of_files}
         group by deleted.position, deleted.place order by deleted.position limit $1"
    ))
}

/// Returns the query that finds rows to delete to which other stored rows refer. Its columns are the place, the
/// referring tables with their numbers of rows, and the total number. `$1` is the maximum number of rows. Referring
/// rows that are deleted too do not count, nor rows that the input stores again: the check of references covers these.
pub(super) fn find_referring_rows(table: &Table, referring: &[(&Table, &Reference)]) -> String {
    let key = list(table.key.iter(), |column| format!("deleted.{}", column.name));
    let parts = referring.iter().map(|(child, reference)| {
        let refers =
            all(reference.columns.iter(), |(here, there)| format!("stored.{here} = deleted.{there}"));
        let same = |other| all(child.key.iter(), |column| format!("{other}.{0} = stored.{0}", column.name));
        let (relation, gone, given) = (child.relation(), same("gone"), same("given"));
        let child = child.name;
        format!(
            "select deleted.position, deleted.place, '{child}' as child, count(*) as rows
             from (select distinct on ({key}) * from pg_temp.delete_{parent} as deleted
                   order by {key}, position) as deleted
             join passbook.{relation} as stored on {refers}
             where not exists (select from pg_temp.delete_{child} as gone where {gone})
               and not exists (select from pg_temp.load_{child} as given where {given})
             group by deleted.position, deleted.place",
            parent = table.name
        )
    });
    let parts = parts.collect::<Vec<_>>().join(" union all ");
    format!(
        "select place, string_agg(child || ': ' || rows, ', ' order by child), count(*) over ()
         from ({parts}) as referring
         group by position, place order by position limit $1"
    )
}

/// Returns the statement that deletes the rows whose keys are staged. Its result is the numbers of deleted rows and of
/// rows that were not stored.
pub(super) fn delete(table: &Table) -> String {
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let same_key = all(table.key.iter(), |column| format!("stored.{0} = doomed.{0}", column.name));
    let (name, relation) = (table.name, table.relation());
    format!(
        "with doomed as (select distinct {key} from pg_temp.delete_{name}),
              deleted as (delete from passbook.{relation} as stored using doomed where {same_key} returning 1)
         select (select count(*) from deleted),
                (select count(*) from doomed) - (select count(*) from deleted)"
    )
}

/// Returns the query for the number of stored rows whose keys are staged for deletion.
pub(super) fn count_deletions(table: &Table) -> String {
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let (name, relation) = (table.name, table.relation());
    format!(
        "select count(*) from (select distinct {key} from pg_temp.delete_{name}) as doomed
         join passbook.{relation} using ({key})"
    )
}

/// Returns the statement that removes the staged rows with the key of an earlier row, and finds those of them that have
/// other values. Its columns are the place, the place of the earlier row, and the total number. `$1` is the maximum number of
/// rows.
pub(super) fn remove_repeated_rows(table: &Table) -> String {
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let same_key = all(table.key.iter(), |column| format!("repeated.{0} = later.{0}", column.name));
    let later = list(table.columns(), |column| format!("later.{}", column.name));
    let first = list(table.columns(), |column| format!("first.{}", column.name));
    let name = table.name;
    // All parts see the rows as they were before the statement.
    format!(
        "with repeated as materialized (
                select {key}, min(position) as first from pg_temp.load_{name} group by {key} having count(*) > 1),
              later as (
                delete from pg_temp.load_{name} as later using repeated
                where {same_key} and later.position > repeated.first
                returning later.*, repeated.first as first_position)
         select later.place, first.place, count(*) over ()
         from later join pg_temp.load_{name} as first on first.position = later.first_position
         where row({later}) is distinct from row({first})
         order by later.position limit $1"
    )
}

/// Returns the query that finds staged rows with a reference to a row that is neither staged nor stored, or that is
/// deleted. Its columns are the place and the total number. `$1` is the maximum number of rows. Rows of an unknown user are
/// left to the check of the user reference, because all their other references are unknown too.
pub(super) fn find_missing_references(table: &Table, reference: &Reference) -> String {
    let given = all(reference.columns.iter(), |(here, _)| format!("needing.{here} is not null"));
    let met = all(reference.columns.iter(), |(here, there)| format!("needed.{there} = needing.{here}"));
    let target = reference.table;
    let referenced = TABLES.iter().find(|table| table.name == target).expect("a referenced table is listed");
    let relation = referenced.relation();
    let gone = all(referenced.key.iter(), |column| format!("gone.{0} = needed.{0}", column.name));
    let of_known_user = if reference.table == "users" {
        ""
    } else {
        "where exists (select from pg_temp.load_users as known where known.user_id = needing.user_id)
           or exists (select from passbook.users as known where known.user_id = needing.user_id)"
    };
    // The user is looked for only if the reference is missing, therefore `materialized`.
    format!(
        "with needing as materialized (
           select needing.* from pg_temp.load_{} as needing
           where {given}
             and not exists (select from pg_temp.load_{target} as needed where {met})
             and not exists (select from passbook.{relation} as needed where {met} and not exists (
               select from pg_temp.delete_{target} as gone where {gone})))
         select place, count(*) over () from needing {of_known_user}
         order by position limit $1",
        table.name
    )
}

/// Returns the statement that merges the staged rows into the table. Its result is the numbers of inserted, updated and
/// unchanged rows. Rows are merged in the order of their key, so that concurrent loads wait for each other instead of
/// causing a deadlock.
pub(super) fn merge(table: &Table) -> String {
    let columns = list(table.stored_columns(), |column| column.name.to_owned());
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let assignments = list(table.values.iter(), |column| {
        format!("{} = {}", column.name, merged(table, column, "excluded"))
    });
    let stored = list(table.values.iter(), |column| format!("stored.{}", column.name));
    let wanted = list(table.values.iter(), |column| merged(table, column, "excluded"));
    let (name, relation) = (table.name, table.relation());
    // The xmax of a row that this statement inserted is 0, because no transaction has locked or replaced the row.
    format!(
        "with merged as (
           insert into passbook.{relation} as stored ({columns})
           select {columns} from pg_temp.load_{name} order by {key}
           on conflict ({key}) do update set {assignments}
           where row({stored}) is distinct from row({wanted})
           returning stored.xmax = 0 as is_new
         )
         select count(*) filter (where is_new), count(*) filter (where not is_new),
                (select count(*) from pg_temp.load_{name}) - count(*)
         from merged"
    )
}

/// Returns the query for the number of staged rows, and for the number of those whose key is stored.
pub(super) fn count_stored(table: &Table) -> String {
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let (name, relation) = (table.name, table.relation());
    format!(
        "select (select count(*) from pg_temp.load_{name}),
                (select count(*) from pg_temp.load_{name} join passbook.{relation} using ({key}))"
    )
}

/// Returns the statement that merges the staged rows into the table if no other transaction can write the same rows: the
/// caller holds a lock. It joins all rows at once, which takes two thirds of the time of [`merge`], and writes them in
/// `order`. The number of its rows is that of the inserted and the updated ones.
pub(super) fn merge_locked(table: &Table, order: &str) -> String {
    let columns = list(table.stored_columns(), |column| column.name.to_owned());
    let inserted = list(table.stored_columns(), |column| format!("staged.{}", column.name));
    let same_key = all(table.key.iter(), |column| format!("stored.{0} = staged.{0}", column.name));
    let assignments =
        list(table.values.iter(), |column| format!("{} = {}", column.name, merged(table, column, "staged")));
    let stored = list(table.values.iter(), |column| format!("stored.{}", column.name));
    let wanted = list(table.values.iter(), |column| merged(table, column, "staged"));
    let (name, relation) = (table.name, table.relation());
    format!(
        "merge into passbook.{relation} as stored
         using (select {columns} from pg_temp.load_{name} order by {order}) as staged
         on {same_key}
         when matched and row({stored}) is distinct from row({wanted}) then update set {assignments}
         when not matched then insert ({columns}) values ({inserted})"
    )
}

/// Returns the condition that a row of the table is stored with the values of `staged`.
pub(super) fn is_stored_unchanged(table: &Table) -> String {
    let same_key = all(table.key.iter(), |column| format!("stored.{0} = staged.{0}", column.name));
    let stored = list(table.values.iter(), |column| format!("stored.{}", column.name));
    let wanted = list(table.values.iter(), |column| merged(table, column, "staged"));
    let relation = table.relation();
    format!(
        "exists (select from passbook.{relation} as stored
           where {same_key} and row({stored}) is not distinct from row({wanted}))"
    )
}

/// Returns the SQL expression for the new value of a column. `staged` is the name of the staged row. A revocation is
/// permanent: a file written before the revocation must not make the credential valid again. A newer balance stays: an older
/// bundle must not replace it. A ledger is always whole. An own category keeps name and parent, because its identifier is
/// derived from them: only the person can have changed them.
fn merged(table: &Table, column: &Column, staged: &str) -> String {
    match column.name {
        "revoked_at" => format!("coalesce(stored.revoked_at, {staged}.revoked_at)"),
        name @ ("balance_cents" | "balance_updated_at") if table.name == "accounts" => format!(
            "case when {staged}.ledger_id is null and stored.balance_updated_at > {staged}.balance_updated_at \
             then stored.{name} else {staged}.{name} end"
        ),
        name @ ("name" | "parent_id") if table.name == "own_categories" => format!("stored.{name}"),
        name => format!("{staged}.{name}"),
    }
}

/// Returns the query for the staged rows that [`merge`] inserts or updates. Its columns are `label` (an expression over
/// `staged`), the e-mail address of the row's owner, and true for a row that is not stored. `$1` is the maximum number of
/// rows.
pub(super) fn find_changed_rows(table: &Table, label: &str) -> String {
    let same_key = all(table.key.iter(), |column| format!("stored.{0} = staged.{0}", column.name));
    let stored = list(table.values.iter(), |column| format!("stored.{}", column.name));
    let wanted = list(table.values.iter(), |column| merged(table, column, "staged"));
    let (name, relation) = (table.name, table.relation());
    let is_new = format!("stored.{} is null", table.key[0].name);
    format!(
        "select {label}, (
           select person.email from (
             select user_id, email from pg_temp.load_users union all select user_id, email from passbook.users
           ) as person where person.user_id = staged.user_id limit 1), {is_new}
         from pg_temp.load_{name} as staged
         left join passbook.{relation} as stored on {same_key}
         where {is_new} or row({stored}) is distinct from row({wanted})
         order by {key_of_staged} limit $1",
        key_of_staged = list(table.key.iter(), |column| format!("staged.{}", column.name)),
    )
}

fn list<'a, T: 'a>(items: impl Iterator<Item = &'a T>, text: impl Fn(&'a T) -> String) -> String {
    items.map(text).collect::<Vec<_>>().join(", ")
}

fn all<'a, T: 'a>(items: impl Iterator<Item = &'a T>, text: impl Fn(&'a T) -> String) -> String {
    items.map(text).collect::<Vec<_>>().join(" and ")
}
