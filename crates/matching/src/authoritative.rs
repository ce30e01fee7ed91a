//! Rows of sources with stable identifiers: an identifier is a row, and the newest file decides what the row is.

use std::collections::{HashMap, HashSet};

use passbook_records::statement::StatementKind;
use uuid::Uuid;

use crate::period::{Account, Order};

/// The authoritative lines of one account.
#[derive(Debug, Default)]
pub(crate) struct Authoritative {
    /// The line that decides, of each identifier and of each occurrence of the identifier in its file.
    pub(crate) deciding: Vec<(Uuid, u32, u32)>,
    /// The index in `deciding` of each line with an authoritative identifier that still exists.
    pub(crate) row_of_line: HashMap<u32, usize>,
}

impl Authoritative {
    /// Returns the deciding line of the row of a line, after the identifier and its occurrence.
    pub(crate) fn row(&self, line: u32) -> Option<(Uuid, u32, u32)> {
        self.row_of_line.get(&line).map(|row| self.deciding[*row])
    }
}

/// Returns the authoritative rows of one account, booked and pending.
pub(crate) fn authoritative(account: &Account<'_>) -> Authoritative {
    // The occurrence of an identifier in its file, so that two lines of one file are never the same row. In a list of
    // changes, a later line of the same identifier is a newer state of the same row.
    let mut occurrences: HashMap<(Uuid, [u8; 32]), u32> = HashMap::new();
    let mut newest: HashMap<Uuid, Order> = HashMap::new();
    let mut seen: Vec<(Uuid, u32, u32)> = Vec::new();
    for (index, line) in account.lines() {
        let Some(id) = line.authoritative() else { continue };
        let order = account.period(line.statement).order;
        let occurrence = occurrences.entry((id, order.digest)).or_default();
        seen.push((id, *occurrence, index));
        let is_change = account.statement(line.statement).kind == StatementKind::Delta;
        *occurrence += u32::from(!is_change);
        let known = newest.entry(id).or_insert(order);
        *known = (*known).max(order);
    }
    let gone = withdrawn(account, &newest);
    let mut result = Authoritative::default();
    let mut rows: HashMap<(Uuid, u32), usize> = HashMap::new();
    for &(id, occurrence, index) in &seen {
        let order = account.period(account.line(index).statement).order;
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
fn withdrawn(account: &Account<'_>, newest: &HashMap<Uuid, Order>) -> HashSet<Uuid> {
    let mut gone = HashSet::new();
    for &member in account.members {
        let order = account.period(member).order;
        let removed = account.statement(member).removed.iter();
        gone.extend(removed.filter(|id| newest.get(*id).is_none_or(|newest| *newest <= order)));
    }
    for (_, line) in account.lines() {
        if line.authoritative().is_some() && !line.pending {
            gone.extend(line.replaces());
        }
    }
    gone
}
