//! Recognises a role that administers or writes the database. Its many privileges have one cause, the wrong role, so
//! they are one problem.

use crate::error::Error;
use crate::row::Row;

/// Maximum number of tables and views that are reported one by one. With more, the role is not a reader with a
/// superfluous privilege.
const WRITABLE_LISTED_MAX: usize = 4;

/// Returns a text about a role that administers or writes the database, with its privileges; `None` for a role that may be a reader with
/// some superfluous privileges.
///
/// A role is administrative if it is a superuser or one of the writing roles, or if it may write to more than
/// [`WRITABLE_LISTED_MAX`] tables and views. A role that belongs to a stronger role is administrative too, unless its
/// transactions are read-only by default: then the role was set up for reading, and the membership is the mistake.
pub(super) fn finding(row: Row<'_>, role: &str) -> Result<Option<String>, Error> {
    let superuser: bool = row.get("superuser")?;
    let writing: Vec<&str> = row.get("writing_roles")?;
    let writable = row.get::<Vec<&str>>("writable")?.len();
    let inherits = inherits_privileges(row)?;
    let is_administrative = superuser
        || writing.contains(&role)
        || (inherits && !row.get::<bool>("read_only")?)
        || (!inherits && writable > WRITABLE_LISTED_MAX);
    if !is_administrative {
        return Ok(None);
    }
    let mut causes = Vec::new();
    if superuser {
        causes.push("superuser".to_owned());
    } else {
        causes.extend(
            writing.iter().filter(|writing| **writing != role).map(|writing| format!("member of {writing}")),
        );
        let stronger: Vec<&str> = row.get("stronger_roles")?;
        causes.extend(stronger.iter().map(|stronger| format!("member of {stronger}")));
        if row.get("bypasses_row_security")? {
            causes.push("bypasses row-level security".to_owned());
        }
        if row.get("creates_roles")? {
            causes.push("may create roles".to_owned());
        }
    }
    if writable > 0 {
        causes.push(format!("may change {writable} tables and views"));
    }
    let causes = if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(", ")) };
    Ok(Some(format!("the role {role} may write{causes}")))
}

/// Returns true if the role belongs to a role that may write. Its privileges then come from that role, at least in part,
/// and are not listed one by one.
pub(super) fn inherits_privileges(row: Row<'_>) -> Result<bool, Error> {
    let superuser: bool = row.get("superuser")?;
    let writing: Vec<&str> = row.get("writing_roles")?;
    let stronger: Vec<&str> = row.get("stronger_roles")?;
    let belongs_to_none = writing.is_empty() && stronger.is_empty();
    Ok(!superuser && !belongs_to_none)
}
