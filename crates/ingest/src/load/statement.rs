//! The SQL statements that every table needs, built only from the constants that describe the table.

use super::columns::{Column, Reference, Table};
use super::table::TABLES;

/// Returns the statement that creates an empty staging table for every table, for one transaction only.
pub(super) fn create_staging() -> String {
    TABLES.iter().map(create_one).collect()
}

fn create_one(table: &Table) -> String {
    let columns = list(table.columns(), |column| format!("{} {}", column.name, column.kind.sql()));
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

/// Returns the query that finds staged rows with the key of an earlier row and other values. Its columns are the place,
/// the place of the earlier row, and the total number. `$1` is the maximum number of rows.
pub(super) fn find_contradictory_rows(table: &Table) -> String {
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let same_key = all(table.key.iter(), |column| format!("first.{0} = later.{0}", column.name));
    let later = list(table.columns(), |column| format!("later.{}", column.name));
    let first = list(table.columns(), |column| format!("first.{}", column.name));
    let name = table.name;
    format!(
        "with repeated as (select {key} from pg_temp.load_{name} group by {key} having count(*) > 1),
              firsts as (
                select distinct on ({key}) * from pg_temp.load_{name} natural join repeated
                order by {key}, position)
         select later.place, first.place, count(*) over ()
         from pg_temp.load_{name} as later join firsts as first on {same_key}
         where row({later}) is distinct from row({first})
         order by later.position limit $1"
    )
}

/// Returns the query that finds staged rows with a reference to a row that is neither staged nor stored. Its columns
/// are the place and the total number. `$1` is the maximum number of rows. Rows of an unknown user are left to the
/// check of the user reference, because all their other references are unknown too.
pub(super) fn find_missing_references(table: &Table, reference: &Reference) -> String {
    let given = all(reference.columns.iter(), |(here, _)| format!("needing.{here} is not null"));
    let met = all(reference.columns.iter(), |(here, there)| format!("needed.{there} = needing.{here}"));
    let target = reference.table;
    let of_known_user = if reference.table == "users" {
        ""
    } else {
        "and (exists (select from pg_temp.load_users as known where known.user_id = needing.user_id)
              or exists (select from passbook.users as known where known.user_id = needing.user_id))"
    };
    format!(
        "select needing.place, count(*) over ()
         from pg_temp.load_{} as needing
         where {given}
           and not exists (select from pg_temp.load_{target} as needed where {met})
           and not exists (select from passbook.{target} as needed where {met})
           {of_known_user}
         order by needing.position limit $1",
        table.name
    )
}

/// Returns the statement that merges the staged rows into the table. Its result is the numbers of inserted, updated and
/// unchanged rows. Rows are merged in the order of their key, so that concurrent loads wait for each other instead of
/// causing a deadlock.
pub(super) fn merge(table: &Table) -> String {
    let columns = list(table.columns(), |column| column.name.to_owned());
    let key = list(table.key.iter(), |column| column.name.to_owned());
    let assignments = list(table.values.iter(), |column| format!("{} = {}", column.name, merged(column)));
    let stored = list(table.values.iter(), |column| format!("stored.{}", column.name));
    let wanted = list(table.values.iter(), merged);
    let name = table.name;
    // The xmax of a row that this statement inserted is 0, because no transaction has locked or replaced the row.
    format!(
        "with staged as (
           select distinct on ({key}) {columns} from pg_temp.load_{name} order by {key}
         ), merged as (
           insert into passbook.{name} as stored ({columns})
           select {columns} from staged order by {key}
           on conflict ({key}) do update set {assignments}
           where row({stored}) is distinct from row({wanted})
           returning stored.xmax = 0 as is_new
         )
         select count(*) filter (where is_new), count(*) filter (where not is_new),
                (select count(*) from staged) - count(*)
         from merged"
    )
}

/// Returns the SQL expression for the new value of a column. A revocation is kept: a file written before the revocation
/// must not make the credential valid again.
fn merged(column: &Column) -> String {
    match column.name {
        "revoked_at" => "coalesce(stored.revoked_at, excluded.revoked_at)".to_owned(),
        name => format!("excluded.{name}"),
    }
}

fn list<'a, T: 'a>(items: impl Iterator<Item = &'a T>, text: impl Fn(&'a T) -> String) -> String {
    items.map(text).collect::<Vec<_>>().join(", ")
}

fn all<'a, T: 'a>(items: impl Iterator<Item = &'a T>, text: impl Fn(&'a T) -> String) -> String {
    items.map(text).collect::<Vec<_>>().join(" and ")
}
