//! The queries that find the owners of staged rows, built only from the constants that describe the table.

use super::columns::Table;

/// The staged rows of one table, to store or to delete.
pub(super) struct OwnedRows {
    table: &'static Table,
    /// The start of the staging table's name.
    staging: &'static str,
}

impl OwnedRows {
    /// The rows of a table that are to be stored.
    pub(super) fn to_store(table: &'static Table) -> OwnedRows {
        OwnedRows { table, staging: "load" }
    }

    /// The rows of a table that are to be deleted.
    pub(super) fn to_delete(table: &'static Table) -> OwnedRows {
        OwnedRows { table, staging: "delete" }
    }

    /// Returns the field of the input that contains the owner.
    pub(super) fn field(&self) -> &'static str {
        match self.table.name {
            "users" => "id",
            "oauth_clients" => "owner",
            _ => "user",
        }
    }

    fn has_user(&self) -> bool {
        self.table.key.iter().any(|column| column.name == "user_id")
    }

    /// Returns the query for the people with rows in the staging table; `None` if the rows belong to nobody. Its columns
    /// are the place of the first row, the columns `email`, `is_stored` and `is_permitted` of the person, and the number
    /// of rows. `$1` is the maximum number of people. People whose rows may not be written come first.
    ///
    /// An OAuth client belongs to the owner in the input and to the stored one, because a load can change the owner.
    pub(super) fn find_people(&self) -> Option<String> {
        let OwnedRows { table: Table { name, .. }, staging } = self;
        let owned = match *name {
            "oauth_clients" => format!(
                "select position, user_id from pg_temp.{staging}_{name}
                 union
                 select given.position, stored.user_id
                 from pg_temp.{staging}_{name} as given join passbook.{name} as stored using (client_id)"
            ),
            _ if self.has_user() => format!("select position, user_id from pg_temp.{staging}_{name}"),
            _ => return None,
        };
        // Only the first row of each person is joined again: sorting all places of a large input would take seconds.
        Some(format!(
            "select given.place, person.email, person.is_stored, person.is_permitted, owned.rows
             from (select user_id, min(position) as first, count(*) as rows from ({owned}) as every
                   group by user_id) as owned
             join pg_temp.load_people as person using (user_id)
             join pg_temp.{staging}_{name} as given on given.position = owned.first
             order by person.is_permitted, owned.first limit $1"
        ))
    }

    /// Returns the query for OAuth clients that serve everyone, in the input or as stored; `None` for another table. Its
    /// column is the place. `$1` is the maximum number of rows.
    pub(super) fn find_clients_for_everyone(&self) -> Option<&'static str> {
        const QUERY: &str = "\
            select place from pg_temp.load_oauth_clients as given
            where user_id is null or exists (
              select from passbook.oauth_clients as stored
              where stored.client_id = given.client_id and stored.user_id is null)
            order by position limit $1";
        (self.table.name == "oauth_clients").then_some(QUERY)
    }
}
