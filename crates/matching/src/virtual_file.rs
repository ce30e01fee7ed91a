//! Virtual files: what one source states about one account at one time.
//!
//! A virtual file is one file, or a run of statements that share no line ([`chain`](super::chain)). The identity rule
//! compares virtual files with each other, in the order of their days.

use std::collections::{BTreeMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::StatementKind;

use super::chain;
use super::extent::{Extent, Order};
use super::line::FileStatement;

/// A virtual file of one account.
#[derive(Debug)]
pub(crate) struct VirtualFile {
    pub(crate) order: Order,
    /// Ranges of days from the first to the last booking of each part. Only days strictly inside are complete.
    pub(crate) ranges: Vec<(Date, Date)>,
    /// True if rows that the file lacks are removed.
    pub(crate) replace: bool,
    /// True if the file is a run of proven statements.
    pub(crate) is_chain: bool,
    pub(crate) statements: Vec<u32>,
}

/// Returns the virtual files of one account in order. `members` are the account's statements.
pub(crate) fn virtual_files(
    statements: &[FileStatement],
    extents: &[Extent],
    members: &[u32],
) -> Vec<VirtualFile> {
    let mut files = Vec::new();
    let mut chained = HashSet::new();
    for run in chain::runs(statements, extents, members) {
        chained.extend(run.iter().copied());
        files.push(file(statements, extents, run, true));
    }
    let mut rest: BTreeMap<[u8; 32], Vec<u32>> = BTreeMap::new();
    for statement in members.iter().filter(|statement| !chained.contains(*statement)) {
        rest.entry(statements[*statement as usize].digest).or_default().push(*statement);
    }
    files.extend(rest.into_values().map(|rest| file(statements, extents, rest, false)));
    files.sort_by_key(|file| file.order);
    files
}

fn file(statements: &[FileStatement], extents: &[Extent], members: Vec<u32>, is_chain: bool) -> VirtualFile {
    let extent = |statement: &u32| &extents[*statement as usize];
    let order = members.iter().map(|member| extent(member).order).max().expect("a file has a statement");
    let complete = members.iter().filter(|member| {
        // A list of changes lacks every row that did not change.
        statements[**member as usize].kind != StatementKind::Delta
    });
    let mut ranges: Vec<(Date, Date)> = complete.filter_map(|member| extent(member).days).collect();
    if is_chain {
        // The days between two statements of a run are complete too.
        let (first, last) =
            (ranges.iter().map(|range| range.0).min(), ranges.iter().map(|range| range.1).max());
        ranges = first.zip(last).into_iter().collect();
    }
    let replace = members.iter().any(|member| statements[*member as usize].replace);
    VirtualFile { order, ranges, replace, is_chain, statements: members }
}
