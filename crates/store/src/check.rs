//! The start-up check: finds roles that could write or read across users, schemas of another version, and schemas that
//! differ from the one that the migrations create.
//!
//! Each finding names the action that fixes it.

mod objects;
mod role;

use passbook_domain::ports::ReadError;
use tokio_postgres::{Client, Transaction};

use crate::error::Error;
use crate::finding::{Finding, Remedy};
use crate::query::{
    CHECK_GRANTS, CHECK_OBJECTS, CHECK_POLICIES, CHECK_ROLE, CHECK_ROW_SECURITY, CHECK_VERSION,
    CHECK_VISIBILITY, Query,
};
use crate::row::{Row, Rows};
use crate::store::Store;
use objects::Objects;

/// Makes PostgreSQL print all names with their schema, and compile no query, until the transaction ends. Compiling the
/// queries of the check takes longer than a statement may.
const SETTINGS: &str = "set local search_path to ''; set local jit to off";

/// The schema version of the database that the queries are written for.
pub const EXPECTED_SCHEMA_VERSION: i32 = 1;
/// The SHA-256 of the newest migration. Before the first release, it distinguishes the schemas of development versions.
/// `cargo xtask bless` rewrites the file.
pub const EXPECTED_SCHEMA_SHA256: &str = include_str!("../data/schema.sha256");

/// Checks the role of the connection and the schema. Returns all findings; empty if there are none.
///
/// # Errors
/// The errors of the database.
pub async fn check(store: &Store) -> Result<Vec<Finding>, ReadError> {
    let mut guard = store.lease().await?;
    let findings = check_with(guard.connection_mut()).await;
    guard.finish(findings.is_ok());
    findings
}

/// Checks the role of a connection and the schema.
pub(crate) async fn check_with(client: &mut Client) -> Result<Vec<Finding>, ReadError> {
    let transaction = begin(client).await?;
    let role = execute(&transaction, &CHECK_ROLE).await?;
    let mut findings = role::findings(role.only()?)?;
    if findings.is_empty() {
        findings = schema_findings(&transaction).await?;
    }
    end(transaction).await?;
    Ok(findings)
}

/// Checks the schema with any role that may read it, such as the role of the migrations. Returns all findings.
///
/// # Errors
/// The errors of the database.
pub async fn check_schema(client: &mut Client) -> Result<Vec<Finding>, ReadError> {
    let transaction = begin(client).await?;
    let findings = schema_findings(&transaction).await?;
    end(transaction).await?;
    Ok(findings)
}

/// Returns the objects of the schema in the form of the file with which the check compares them.
///
/// # Errors
/// The errors of the database.
pub async fn schema_objects(client: &mut Client) -> Result<String, ReadError> {
    let transaction = begin(client).await?;
    let rows = execute(&transaction, &CHECK_OBJECTS).await?;
    end(transaction).await?;
    Ok(Objects::read(&rows)?.to_string())
}

/// Begins a transaction with the settings of the check. Also keeps all queries on one connection
/// of a pooler.
async fn begin(client: &mut Client) -> Result<Transaction<'_>, Error> {
    let begun = client.build_transaction().read_only(true).start().await;
    let transaction = begun.map_err(Error::query("begin"))?;
    transaction.batch_execute(SETTINGS).await.map_err(Error::query("search_path"))?;
    Ok(transaction)
}

async fn end(transaction: Transaction<'_>) -> Result<(), Error> {
    transaction.commit().await.map_err(Error::query("commit"))
}

async fn execute(transaction: &Transaction<'_>, query: &Query) -> Result<Rows, Error> {
    // Not prepared: the query runs rarely, and some poolers do not support prepared statements.
    let rows = transaction.query_typed(query.sql, &[]).await.map_err(Error::query(query.name))?;
    Ok(Rows::new(query, rows))
}

/// Returns the findings of the schema. Compares the objects first: the other queries need some of them.
async fn schema_findings(transaction: &Transaction<'_>) -> Result<Vec<Finding>, ReadError> {
    let rows = execute(transaction, &CHECK_OBJECTS).await?;
    let objects = Objects::read(&rows)?;
    let mut findings = Vec::new();
    let mut is_expected_version = true;
    if objects.has_readable_view_column("version") {
        findings.extend(if objects.has_readable_view_column("sha256") {
            let newest = execute(transaction, &CHECK_VERSION).await?;
            match newest.first() {
                Some(row) => version_finding(row.get("version")?, row.get("sha256")?),
                None => version_finding(0, ""),
            }
        } else {
            Some(development_version())
        });
        is_expected_version = findings.is_empty();
    }
    // In a schema of another version the objects may differ, so they are not compared.
    if is_expected_version {
        findings.extend(objects.findings());
        for query in [CHECK_POLICIES, CHECK_GRANTS] {
            findings.extend(listed_findings(&execute(transaction, &query).await?)?);
        }
    }
    let row_security = execute(transaction, &CHECK_ROW_SECURITY).await?;
    findings.extend(row_security_findings(row_security.only()?)?);
    // A last check, for causes that the queries above do not find.
    if findings.is_empty() && sees_people(transaction).await? {
        findings.push(Finding::new(
            "rows of people are visible although app.user_id is not set".to_owned(),
            Remedy::Statement(
                "reset app.user_id of the role, and restore the views of passbook_read as the migrations created them"
                    .to_owned(),
            ),
        ));
    }
    Ok(findings)
}

async fn sees_people(transaction: &Transaction<'_>) -> Result<bool, ReadError> {
    let rows = execute(transaction, &CHECK_VISIBILITY).await?;
    Ok(rows.only()?.get("sees_people")?)
}

/// Returns the finding of a schema version that the queries are not written for.
fn version_finding(version: i32, sha256: &str) -> Option<Finding> {
    match version.cmp(&EXPECTED_SCHEMA_VERSION) {
        std::cmp::Ordering::Less => Some(Finding::new(
            format!(
                "the database is at schema version {version}, this program needs {EXPECTED_SCHEMA_VERSION}"
            ),
            Remedy::Migrate,
        )),
        std::cmp::Ordering::Equal => (sha256 != EXPECTED_SCHEMA_SHA256.trim_end()).then(development_version),
        std::cmp::Ordering::Greater => Some(Finding::new(
            format!(
                "the database is at schema version {version}, ahead of this program's {EXPECTED_SCHEMA_VERSION}"
            ),
            Remedy::NewerProgram,
        )),
    }
}

/// Returns the finding of a schema that another development version created.
fn development_version() -> Finding {
    let sentence = "the database has the schema of another development version of Passbook".to_owned();
    Finding::new(sentence, Remedy::MoveToThisVersion)
}

/// Returns the findings of row-level security: tables without it, and views that bypass it.
fn row_security_findings(row: Row<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for table in row.get::<Vec<&str>>("unprotected_tables")? {
        findings.push(Finding::new(
            format!("row-level security is not forced on {table}"),
            Remedy::Statement(format!(
                "alter table {table} enable row level security, force row level security"
            )),
        ));
    }
    for view in row.get::<Vec<&str>>("bypassing_views")? {
        findings.push(Finding::new(
            format!("the view {view} belongs to a role that bypasses row-level security"),
            Remedy::Statement(format!("alter view {view} owner to passbook_owner")),
        ));
    }
    Ok(findings)
}

/// Returns a finding for each row of a query that has the columns `object`, `finding` and `remedy`.
fn listed_findings(rows: &Rows) -> Result<Vec<Finding>, Error> {
    rows.map(|row| {
        let object = row.get::<Option<&str>>("object")?.map(str::to_owned);
        Ok(Finding { sentence: row.get("finding")?, remedy: Remedy::Statement(row.get("remedy")?), object })
    })
}
