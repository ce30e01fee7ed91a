//! The start-up check: finds roles that could write or read across users, and schemas of another version.
//!
//! Each problem names the action that fixes it.

use domain::ports::ReadError;

use crate::error::Error;
use crate::pool::Store;
use crate::query::{CHECK_GRANTS, CHECK_POLICIES, CHECK_ROLE, CHECK_ROW_SECURITY, Query};
use crate::row::{Row, Rows};

/// The schema version of the database that the queries are written for.
pub const EXPECTED_SCHEMA_VERSION: i32 = 10;

/// A property of the database role or the schema because of which the server must not serve this database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Text that states the property.
    pub finding: String,
    /// The action that fixes the problem.
    pub remedy: Remedy,
}

/// The action that fixes a problem. A program may name its own command for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A statement, or an action in words.
    Statement(String),
    /// Applying the missing migrations.
    Migrate,
    /// Running a version of the program that knows the schema version of the database.
    NewerProgram,
}

impl std::fmt::Display for Remedy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Remedy::Statement(statement) => statement,
            Remedy::Migrate => "apply the migrations",
            Remedy::NewerProgram => "run a program as new as the database",
        })
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.finding, self.remedy)
    }
}

/// Checks the role of the connection and the schema. Returns all problems found; empty if there are none.
///
/// # Errors
/// The errors of the database.
pub async fn check(store: &Store) -> Result<Vec<Problem>, ReadError> {
    let role = execute(store, &CHECK_ROLE).await?;
    let role = role.first().ok_or(ReadError::Revoked)?;
    let mut problems = role_problems(role)?;
    if problems.is_empty() {
        let schema = execute(store, &CHECK_ROW_SECURITY).await?;
        let schema = schema.first().ok_or(ReadError::Revoked)?;
        problems = schema_problems(schema)?;
        // In a schema of another version, policies and views may differ, so they are not checked.
        if schema.get::<Option<i32>>("version")? == Some(EXPECTED_SCHEMA_VERSION) {
            for query in [CHECK_POLICIES, CHECK_GRANTS] {
                problems.extend(listed_problems(&execute(store, &query).await?)?);
            }
        }
        // A last check, for causes that the queries above do not find.
        if problems.is_empty() && schema.get("sees_people")? {
            problems.push(Problem {
                finding: "rows of people are visible although app.user_id is not set".to_owned(),
                remedy: Remedy::Statement(
                    "reset app.user_id of the role, and restore the views of passbook_read as the migrations \
                     created them"
                        .to_owned(),
                ),
            });
        }
    }
    Ok(problems)
}

async fn execute(store: &Store, query: &Query) -> Result<Rows, Error> {
    let connection = store.connection().await?;
    // Not prepared: the query runs rarely, and some poolers do not support prepared statements.
    let rows = connection.query_typed(query.sql, &[]).await.map_err(Error::query(query.name))?;
    Ok(Rows::new(query, rows))
}

/// Returns the problems of the role of the connection.
fn role_problems(row: Row<'_>) -> Result<Vec<Problem>, Error> {
    let role: &str = row.get("role")?;
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    let mut problems = Vec::new();
    let mut add = |finding: String, remedy: String| {
        problems.push(Problem { finding, remedy: Remedy::Statement(remedy) })
    };
    let reader = "connect as passbook_reader (alter role passbook_reader login password '…')";
    let writing: Vec<&str> = row.get("writing_roles")?;
    if row.get("superuser")? {
        add(format!("the role {role} is a superuser, which bypasses row-level security"), reader.to_owned());
    } else if writing.contains(&role) {
        add(format!("the role {role} may write"), reader.to_owned());
    } else {
        problems = privilege_problems(row, role, &quoted)?;
    }
    let mut add = |finding: String, remedy: String| {
        problems.push(Problem { finding, remedy: Remedy::Statement(remedy) })
    };
    if !row.get::<bool>("read_only")? {
        add(
            format!("transactions of the role {role} are not read-only by default"),
            format!("alter role {quoted} set default_transaction_read_only = on"),
        );
    }
    if row.get::<i32>("statement_milliseconds_max")? == 0 {
        add(
            format!("statements of the role {role} have no time limit"),
            format!("alter role {quoted} set statement_timeout = '5s'"),
        );
    }
    if !row.get::<bool>("schema_exists")? {
        let finding = "the database has no Passbook schema".to_owned();
        problems.push(Problem { finding, remedy: Remedy::Migrate });
    } else if !row.get::<bool>("may_read")? {
        add(
            format!("the role {role} may not use the schema passbook_read"),
            format!("grant passbook_reader to {quoted}"),
        );
    }
    Ok(problems)
}

/// Returns a problem for each privilege with which the role could write or bypass row-level security.
fn privilege_problems(row: Row<'_>, role: &str, quoted: &str) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    let mut add = |finding: String, remedy: String| {
        problems.push(Problem { finding, remedy: Remedy::Statement(remedy) })
    };
    if row.get("bypasses_row_security")? {
        add(
            format!("the role {role} bypasses row-level security"),
            format!("alter role {quoted} nobypassrls"),
        );
    }
    if row.get("creates_roles")? {
        add(format!("the role {role} may create roles"), format!("alter role {quoted} nocreaterole"));
    }
    for writing in row.get::<Vec<&str>>("writing_roles")? {
        add(format!("the role {role} is a member of {writing}"), format!("revoke {writing} from {quoted}"));
    }
    for stronger in row.get::<Vec<&str>>("stronger_roles")? {
        let remedy = format!("revoke \"{}\" from {quoted}", stronger.replace('"', "\"\""));
        add(format!("the role {role} may become {stronger}, which may do more than read"), remedy);
    }
    for relation in row.get::<Vec<&str>>("writable")? {
        add(
            format!("the role {role} may write to {relation}"),
            format!(
                "revoke insert, update, delete, truncate on {relation} from {quoted}, public; \
                 if it owns it: alter table {relation} owner to passbook_owner"
            ),
        );
    }
    for container in row.get::<Vec<&str>>("creates_in")? {
        add(
            format!("the role {role} may create objects in the {container}"),
            format!("revoke create on {container} from {quoted}, public"),
        );
    }
    Ok(problems)
}

/// Returns the problems of the schema: another version, tables without row-level security, views that bypass it.
fn schema_problems(row: Row<'_>) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    let version = row.get::<Option<i32>>("version")?.unwrap_or(0);
    if version < EXPECTED_SCHEMA_VERSION {
        let finding = format!(
            "the database is at schema version {version}, this program needs {EXPECTED_SCHEMA_VERSION}"
        );
        problems.push(Problem { finding, remedy: Remedy::Migrate });
    } else if version > EXPECTED_SCHEMA_VERSION {
        let finding = format!(
            "the database is at schema version {version}, ahead of this program's {EXPECTED_SCHEMA_VERSION}"
        );
        problems.push(Problem { finding, remedy: Remedy::NewerProgram });
    }
    let mut add = |finding: String, remedy: String| {
        problems.push(Problem { finding, remedy: Remedy::Statement(remedy) })
    };
    for table in row.get::<Vec<&str>>("unprotected_tables")? {
        add(
            format!("row-level security is not forced on {table}"),
            format!("alter table {table} enable row level security, force row level security"),
        );
    }
    for view in row.get::<Vec<&str>>("bypassing_views")? {
        add(
            format!("the view {view} belongs to a role that bypasses row-level security"),
            format!("alter view {view} owner to passbook_owner"),
        );
    }
    Ok(problems)
}

/// Returns a problem for each row of a query that has the columns `finding` and `remedy`.
fn listed_problems(rows: &Rows) -> Result<Vec<Problem>, Error> {
    rows.map(|row| {
        Ok(Problem { finding: row.get("finding")?, remedy: Remedy::Statement(row.get("remedy")?) })
    })
}
