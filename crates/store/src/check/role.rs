//! Problems of the role of the connection: privileges with which the role could write or bypass row-level security.

mod administrative_role;

use crate::error::Error;
use crate::problem::{Problem, Remedy};
use crate::row::Row;

/// Returns the problems of the role of the connection.
pub(super) fn problems(row: Row<'_>) -> Result<Vec<Problem>, Error> {
    let role: &str = row.get("role")?;
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    if let Some(finding) = administrative_role::finding(row, role)? {
        let problem = Problem::new(finding, Remedy::ReaderRole);
        let schema_exists = row.get::<bool>("schema_exists")?;
        return Ok(std::iter::once(problem).chain((!schema_exists).then(no_schema)).collect());
    }
    let mut problems = privilege_problems(row, role, &quoted)?;
    let mut add =
        |finding: String, remedy: String| problems.push(Problem::new(finding, Remedy::Statement(remedy)));
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
        problems.push(no_schema());
    } else if !row.get::<bool>("may_read")? {
        let remedy = if role == "passbook_reader" {
            "grant usage on schema passbook_read to passbook_reader".to_owned()
        } else {
            format!("grant passbook_reader to {quoted}")
        };
        add(format!("the role {role} may not use the schema passbook_read"), remedy);
    }
    Ok(problems)
}

fn no_schema() -> Problem {
    Problem::new("the database has no Passbook schema".to_owned(), Remedy::Migrate)
}

/// Returns a problem for each privilege with which the role could write or bypass row-level security.
fn privilege_problems(row: Row<'_>, role: &str, quoted: &str) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    let mut add =
        |finding: String, remedy: String| problems.push(Problem::new(finding, Remedy::Statement(remedy)));
    if row.get("bypasses_row_security")? {
        add(
            format!("the role {role} bypasses row-level security"),
            format!("alter role {quoted} nobypassrls"),
        );
    }
    if row.get("creates_roles")? {
        add(format!("the role {role} may create roles"), format!("alter role {quoted} nocreaterole"));
    }
    if row.get("replicates")? {
        add(
            format!("the role {role} may copy the whole database by replication"),
            format!("alter role {quoted} noreplication"),
        );
    }
    for writing in row.get::<Vec<&str>>("writing_roles")? {
        add(format!("the role {role} is a member of {writing}"), format!("revoke {writing} from {quoted}"));
    }
    for stronger in row.get::<Vec<&str>>("stronger_roles")? {
        let remedy = format!("revoke \"{}\" from {quoted}", stronger.replace('"', "\"\""));
        add(format!("the role {role} may become {stronger}, which may do more than read"), remedy);
    }
    if administrative_role::inherits_privileges(row)? {
        return Ok(problems);
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
