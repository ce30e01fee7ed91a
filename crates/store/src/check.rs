//! The start-up check: a role that could write or see past the wall is refused, and so is a schema that this
//! program does not know. Each problem names the statement that mends it.

use domain::ports::ReadError;

use crate::error::Error;
use crate::pool::Store;
use crate::question::{CHECK_GRANTS, CHECK_POLICIES, CHECK_ROLE, CHECK_WALL};
use crate::row::{Row, Rows};

/// The schema version that the questions are written for.
pub const EXPECTED_SCHEMA_VERSION: i32 = 9;

/// Something about the database that will not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub what: String,
    /// The statement or command that mends it.
    pub mend: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.what, self.mend)
    }
}

/// Everything about the connected role and the schema that will not do; empty when all is well.
pub async fn check(store: &Store) -> Result<Vec<Problem>, ReadError> {
    let role = ask(store, &CHECK_ROLE).await?;
    let role = role.first().ok_or(ReadError::Revoked)?;
    let mut problems = role_problems(role)?;
    if problems.is_empty() {
        let wall = ask(store, &CHECK_WALL).await?;
        let wall = wall.first().ok_or(ReadError::Revoked)?;
        problems = wall_problems(wall)?;
        // Another version may have other policies and views.
        if wall.get::<Option<i32>>("version")? == Some(EXPECTED_SCHEMA_VERSION) {
            for question in [CHECK_POLICIES, CHECK_GRANTS] {
                problems.extend(told_problems(&ask(store, &question).await?)?);
            }
        }
        // The canary, for whatever cannot be named.
        if problems.is_empty() && wall.get("sees_people")? {
            problems.push(Problem {
                what: "people can be seen without naming one".to_owned(),
                mend: "reset app.user_id of the role, and restore the views of passbook_read as \
                       passbook-admin migrate made them"
                    .to_owned(),
            });
        }
    }
    Ok(problems)
}

async fn ask(store: &Store, question: &crate::Question) -> Result<Rows, Error> {
    let connection = store.connection().await?;
    // Asked at start and by probes: not worth a prepared statement, which a pooler might lose.
    let rows = connection.query_typed(question.sql, &[]).await.map_err(Error::query(question.name))?;
    Ok(Rows::new(question, rows))
}

fn role_problems(row: Row<'_>) -> Result<Vec<Problem>, Error> {
    let role: &str = row.get("role")?;
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    let mut problems = Vec::new();
    let mut add = |what: String, mend: String| problems.push(Problem { what, mend });
    let reader = "connect as passbook_reader (alter role passbook_reader login password '…')";
    let writing: Vec<&str> = row.get("writing_roles")?;
    if row.get("superuser")? {
        add(format!("the role {role} is a superuser, for whom no wall holds"), reader.to_owned());
    } else if writing.contains(&role) {
        add(format!("the role {role} is made for writing"), reader.to_owned());
    } else {
        problems = strength_problems(row, role, &quoted)?;
    }
    let mut add = |what: String, mend: String| problems.push(Problem { what, mend });
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
        add("the database has no Passbook schema".to_owned(), "passbook-admin migrate".to_owned());
    } else if !row.get::<bool>("may_read")? {
        add(format!("the role {role} may not read"), format!("grant passbook_reader to {quoted}"));
    }
    Ok(problems)
}

/// Everything by which the role could write or pass the wall.
fn strength_problems(row: Row<'_>, role: &str, quoted: &str) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    let mut add = |what: String, mend: String| problems.push(Problem { what, mend });
    if row.get("bypasses_row_security")? {
        add(format!("the role {role} bypasses row security"), format!("alter role {quoted} nobypassrls"));
    }
    if row.get("creates_roles")? {
        add(format!("the role {role} may make roles"), format!("alter role {quoted} nocreaterole"));
    }
    for writing in row.get::<Vec<&str>>("writing_roles")? {
        add(format!("the role {role} is a member of {writing}"), format!("revoke {writing} from {quoted}"));
    }
    for stronger in row.get::<Vec<&str>>("stronger_roles")? {
        let mend = format!("revoke \"{}\" from {quoted}", stronger.replace('"', "\"\""));
        add(format!("the role {role} may become {stronger}, who may do more than read"), mend);
    }
    for relation in row.get::<Vec<&str>>("writable")? {
        add(
            format!("the role {role} could write to {relation}"),
            format!(
                "revoke insert, update, delete, truncate on {relation} from {quoted}, public; \
                 if it owns it: alter table {relation} owner to passbook_owner"
            ),
        );
    }
    for place in row.get::<Vec<&str>>("creates_in")? {
        add(
            format!("the role {role} could create things in the {place}"),
            format!("revoke create on {place} from {quoted}, public"),
        );
    }
    Ok(problems)
}

fn wall_problems(row: Row<'_>) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    let mut add = |what: String, mend: String| problems.push(Problem { what, mend });
    let version = row.get::<Option<i32>>("version")?.unwrap_or(0);
    if version < EXPECTED_SCHEMA_VERSION {
        add(
            format!(
                "the database is at schema version {version}, this program needs {EXPECTED_SCHEMA_VERSION}"
            ),
            "passbook-admin migrate".to_owned(),
        );
    } else if version > EXPECTED_SCHEMA_VERSION {
        add(
            format!(
                "the database is at schema version {version}, ahead of this program's {EXPECTED_SCHEMA_VERSION}"
            ),
            "run a passbook-server as new as the database".to_owned(),
        );
    }
    for table in row.get::<Vec<&str>>("open_tables")? {
        add(
            format!("row security is not forced on {table}"),
            format!("alter table {table} enable row level security, force row level security"),
        );
    }
    for view in row.get::<Vec<&str>>("unguarded_views")? {
        add(
            format!("the view {view} belongs to a role for whom no wall holds"),
            format!("alter view {view} owner to passbook_owner"),
        );
    }
    Ok(problems)
}

/// Problems that the database puts into words.
fn told_problems(rows: &Rows) -> Result<Vec<Problem>, Error> {
    rows.map(|row| Ok(Problem { what: row.get("what")?, mend: row.get("mend")? }))
}
