//! Problems of the role of the connection: privileges with which the role could write or bypass row-level security.

mod administrative_role;

use crate::error::Error;
use crate::finding::{Finding, Remedy};
use crate::row::Row;

/// Returns the findings of the role of the connection.
pub(super) fn findings(row: Row<'_>) -> Result<Vec<Finding>, Error> {
    let role: &str = row.get("role")?;
    let quoted = format!("\"{}\"", role.replace('"', "\"\""));
    if let Some(sentence) = administrative_role::finding(row, role)? {
        let finding = Finding::new(sentence, Remedy::ReaderRole);
        let schema_exists = row.get::<bool>("schema_exists")?;
        return Ok(std::iter::once(finding).chain((!schema_exists).then(no_schema)).collect());
    }
    let mut findings = privilege_findings(row, role, &quoted)?;
    let mut add =
        |sentence: String, remedy: String| findings.push(Finding::new(sentence, Remedy::Statement(remedy)));
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
        findings.push(no_schema());
    } else if !row.get::<bool>("may_read")? {
        let remedy = if role == "passbook_reader" {
            "grant usage on schema passbook_read to passbook_reader".to_owned()
        } else {
            format!("grant passbook_reader to {quoted}")
        };
        add(format!("the role {role} may not use the schema passbook_read"), remedy);
    }
    Ok(findings)
}

fn no_schema() -> Finding {
    Finding::new("the database has no Passbook schema".to_owned(), Remedy::Migrate)
}

/// Returns a finding for each privilege with which the role could write or bypass row-level security.
fn privilege_findings(row: Row<'_>, role: &str, quoted: &str) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut add =
        |sentence: String, remedy: String| findings.push(Finding::new(sentence, Remedy::Statement(remedy)));
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
        return Ok(findings);
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
    Ok(findings)
}
