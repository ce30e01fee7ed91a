//! The rows that an input may write if somebody else wrote the input.
//!
//! A file that a person exported elsewhere can also contain credentials, or rows of other people. The caller permits
//! both explicitly. Otherwise they are faults, and nothing is stored.

use std::collections::BTreeSet;

use passbook_input::{Fault, Faults};
use passbook_records::record::Record;
use tokio_postgres::Row;

use super::check::{inside, offenders};
use super::result::LoadError;
use super::row::Table;
use super::stage::{Staged, Staging};
use super::table::{self, CREDENTIALS};

/// The rule for a credential in an input that may not contain one.
pub const CREDENTIAL_NOT_PERMITTED: &str = "must not be given, because this load may not write credentials";
/// The rule for rows of people whose rows the load may not write.
pub const PERSON_NOT_PERMITTED: &str = "must belong to a person whose rows this load may write";
/// The rule for an OAuth client without an owner, in a load that may write the rows of certain people only.
pub const EVERYONE_NOT_PERMITTED: &str =
    "must not serve everyone, because this load may write the rows of certain people only";
/// The rule for an e-mail address in [`Permission::people`] that nobody has. The place of the fault is `people`.
pub const PERSON_UNKNOWN: &str = "must be the e-mail address of a user of this input or one who is stored";

const FIND_PEOPLE: &str = include_str!("../../sql/find_people.sql");
const FIND_UNKNOWN_EMAILS: &str = include_str!("../../sql/find_unknown_emails.sql");

/// The rows that a load may write.
#[derive(Clone, Copy, Debug)]
pub struct Permission<'a> {
    /// True if the load may write OAuth clients, consents, sessions and personal access tokens.
    pub credentials: bool,
    /// E-mail addresses of the people whose rows the load may write, in any case. If empty, the load may write the rows
    /// of people who are not stored yet. Exchange rates belong to nobody, and every load may write them.
    pub people: &'a [String],
}

/// Adds a fault if the record is a credential, unless `seen` contains its table. Returns true if the record is one.
pub(super) fn reject_credential(
    record: &Record,
    place: &str,
    seen: &mut Vec<&'static str>,
    faults: &mut Faults,
) -> bool {
    let table = table::row(record).table();
    let is_credential = CREDENTIALS.contains(&table);
    if is_credential && !seen.contains(&table) {
        seen.push(table);
        faults.push(Fault::new(place, CREDENTIAL_NOT_PERMITTED));
    }
    is_credential
}

/// Adds a fault for each table and person whose rows the load may not write. Returns the e-mail addresses of the people
/// whose rows it may write and writes.
pub(super) async fn check(
    staging: &Staging<'_>,
    permission: Permission<'_>,
    staged: &Staged,
    faults: &mut Faults,
) -> Result<Vec<String>, LoadError> {
    let wanted = permission.people;
    let unknown = staging.query(FIND_UNKNOWN_EMAILS, &[&wanted]).await?;
    faults.extend(
        unknown
            .iter()
            .map(|email| Fault::new("people", PERSON_UNKNOWN).received_verbatim(email.get::<_, String>(0))),
    );
    staging.execute(FIND_PEOPLE, &[&wanted]).await?;
    let mut people = BTreeSet::new();
    let stored = staged.stored.iter().map(|number| (*number, "load"));
    let deleted = staged.deleted.iter().map(|number| (*number, "delete"));
    for (number, start) in stored.chain(deleted) {
        let rows = OwnedRows { table: table::by_number(number), start };
        if let Some(query) = rows.find_people() {
            for found in offenders(staging, &query).await? {
                match found.get("is_permitted") {
                    true => drop(people.insert(found.get("email"))),
                    false => faults.push(not_permitted(&found, rows.field())),
                }
            }
        }
        if !wanted.is_empty()
            && let Some(query) = rows.find_clients_for_everyone()
            && let [first, ..] = offenders(staging, query).await?.as_slice()
        {
            faults.push(Fault::new(first.get::<_, &str>(0), EVERYONE_NOT_PERMITTED));
        }
    }
    Ok(people.into_iter().collect())
}

/// Returns the fault for a row of [`OwnedRows::find_people`]: a person whose rows the load may not write.
fn not_permitted(found: &Row, field: &str) -> Fault {
    let (place, email, rows): (&str, &str, i64) = (found.get("place"), found.get("email"), found.get("rows"));
    let stored = if found.get("is_stored") { ", who is stored" } else { "" };
    let fault = Fault::new(inside(place, field), PERSON_NOT_PERMITTED);
    fault.received_verbatim(format!("{rows} of {email}{stored}"))
}

/// The staged rows of one table, to store or to delete.
struct OwnedRows {
    table: &'static Table,
    /// The start of the staging table's name.
    start: &'static str,
}

impl OwnedRows {
    /// Returns the field of the input that contains the owner.
    fn field(&self) -> &'static str {
        match self.table.name {
            "users" => "id",
            "oauth_clients" => "owner",
            _ => "user",
        }
    }

    /// Returns the query for the people with rows in the staging table; `None` if the rows belong to nobody. Its columns
    /// are the `place` of the first row, `email`, `is_stored` and `is_permitted` of the person, and the number of `rows`.
    /// `$1` is the maximum number of people. People whose rows may not be written come first.
    ///
    /// An OAuth client belongs to the owner in the input and to the stored one, because a load can change the owner.
    fn find_people(&self) -> Option<String> {
        let OwnedRows { table: Table { name, key, .. }, start } = self;
        let owned = match *name {
            "oauth_clients" => format!(
                "select position, user_id from pg_temp.{start}_{name}
                 union
                 select given.position, stored.user_id
                 from pg_temp.{start}_{name} as given join passbook.{name} as stored using (client_id)"
            ),
            _ if key.iter().any(|column| column.name == "user_id") => {
                format!("select position, user_id from pg_temp.{start}_{name}")
            }
            _ => return None,
        };
        // Only the first row of each person is joined again: sorting all places of a large input would take seconds.
        Some(format!(
            "select given.place, person.email, person.is_stored, person.is_permitted, owned.rows
             from (select user_id, min(position) as first, count(*) as rows from ({owned}) as every
                   group by user_id) as owned
             join pg_temp.load_people as person using (user_id)
             join pg_temp.{start}_{name} as given on given.position = owned.first
             order by person.is_permitted, owned.first limit $1"
        ))
    }

    /// Returns the query for OAuth clients that serve everyone, in the input or as stored; `None` for another table. Its
    /// column is the place. `$1` is the maximum number of rows.
    fn find_clients_for_everyone(&self) -> Option<&'static str> {
        const QUERY: &str = "\
            select place from pg_temp.load_oauth_clients as given
            where user_id is null or exists (
              select from passbook.oauth_clients as stored
              where stored.client_id = given.client_id and stored.user_id is null)
            order by position limit $1";
        (self.table.name == "oauth_clients").then_some(QUERY)
    }
}
