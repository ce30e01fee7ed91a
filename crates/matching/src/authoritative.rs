//! Rows of sources with stable identifiers: an identifier is a row, and the newest file decides what the row is.

use std::collections::{HashMap, HashSet};

use passbook_records::statement::StatementKind;
use uuid::Uuid;

use super::line::{FileStatement, Line};
use super::period::{Order, Period};

/// The authoritative lines of one account.
#[derive(Debug, Default)]
pub(crate) struct Authoritative {
    /// The line that decides, of each identifier and of each occurrence of the identifier in its file.
    pub(crate) deciding: Vec<(Uuid, u32, u32)>,
    /// The index in `deciding` of each line with an authoritative identifier that still exists.
    pub(crate) row_of_line: HashMap<u32, usize>,
}

/// Returns the authoritative rows of one account, booked and pending. `lines` are indexes of all lines of the account.
pub(crate) fn authoritative(
    statements: &[FileStatement],
    periods: &[Period],
    members: &[u32],
    all: &[Line],
    lines: &[u32],
) -> Authoritative {
    // The occurrence of an identifier in its file, so that two lines of one file are never the same row. In a list of
    // changes, a later line of the same identifier is a newer state of the same row.
    let mut occurrences: HashMap<(Uuid, [u8; 32]), u32> = HashMap::new();
    let mut newest: HashMap<Uuid, Order> = HashMap::new();
    let mut seen: Vec<(Uuid, u32, u32)> = Vec::new();
    for &index in lines {
        let line = &all[index as usize];
        let Some(id) = line.authoritative() else { continue };
        let order = periods[line.statement as usize].order;
        let occurrence = occurrences.entry((id, order.digest)).or_default();
        seen.push((id, *occurrence, index));
        let is_change = statements[line.statement as usize].kind == StatementKind::Delta;
        *occurrence += u32::from(!is_change);
        let known = newest.entry(id).or_insert(order);
        *known = (*known).max(order);
    }
    let gone = withdrawn(statements, periods, members, &newest, all, lines);
    let mut result = Authoritative::default();
    let mut rows: HashMap<(Uuid, u32), usize> = HashMap::new();
    for &(id, occurrence, index) in &seen {
        let order = periods[all[index as usize].statement as usize].order;
        if !gone.contains(&id) && newest.get(&id).is_some_and(|newest| newest.digest == order.digest) {
            let row = *rows.entry((id, occurrence)).or_insert_with(|| {
                result.deciding.push((id, occurrence, index));
                result.deciding.len() - 1
            });
            result.deciding[row].2 = index;
        }
    }
    for (id, occurrence, index) in seen {
        if let Some(row) = rows.get(&(id, occurrence)) {
            result.row_of_line.insert(index, *row);
        }
    }
    result
}

/// Returns the identifiers that a file withdrew after the last file that has them, and those of pending lines that a
/// posted line replaces.
fn withdrawn(
    statements: &[FileStatement],
    periods: &[Period],
    members: &[u32],
    newest: &HashMap<Uuid, Order>,
    all: &[Line],
    lines: &[u32],
) -> HashSet<Uuid> {
    let mut gone = HashSet::new();
    for &member in members {
        let order = periods[member as usize].order;
        let removed = statements[member as usize].removed.iter();
        gone.extend(removed.filter(|id| newest.get(*id).is_none_or(|newest| *newest <= order)));
    }
    for &index in lines {
        let line = &all[index as usize];
        if line.authoritative().is_some() && !line.pending {
            gone.extend(line.replaces());
        }
    }
    gone
}
