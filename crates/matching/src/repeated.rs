//! Statements that stand twice in one file. A file that was put together from several downloads repeats some.

use std::collections::{BTreeMap, HashMap, HashSet};

use passbook_records::statement::StatementKind;
use uuid::Uuid;

use super::line::{FileStatement, Line};
use super::period::Period;

/// The statements of all files that repeat a statement of their file.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    /// The repetitions. Their lines are no transactions of their own.
    pub(crate) statements: HashSet<u32>,
    /// The line of the first statement, by the line of a repetition.
    pub(crate) original: HashMap<u32, u32>,
}

/// Returns the repetitions: statements of one file with the same account, period, balances and entries.
pub(crate) fn repeated(statements: &[FileStatement], periods: &[Period], lines: &[Line]) -> Repeated {
    let mut alike: BTreeMap<([u8; 32], Uuid, u64), Vec<u32>> = BTreeMap::new();
    for (index, statement) in (0_u32..).zip(statements).filter(|(_, one)| is_distinctive(one)) {
        let content = periods[index as usize].content;
        alike.entry((statement.digest, statement.account, content)).or_default().push(index);
    }
    alike.retain(|_, group| group.len() > 1);
    let candidates: HashSet<u32> = alike.values().flatten().copied().collect();
    let mut lines_of: HashMap<u32, Vec<u32>> = HashMap::new();
    if !candidates.is_empty() {
        for (index, line) in (0_u32..).zip(lines).filter(|(_, line)| candidates.contains(&line.statement)) {
            lines_of.entry(line.statement).or_default().push(index);
        }
    }
    // Banks may list the entries of a day in another order.
    for own in lines_of.values_mut() {
        own.sort_by_key(|line| {
            let line = &lines[*line as usize];
            (line.day, line.cents, line.pending, line.text, line.id())
        });
    }
    let mut repeated = Repeated::default();
    for group in alike.into_values() {
        let mut originals: Vec<u32> = Vec::new();
        for statement in group {
            let own = lines_of.get(&statement).map_or(&[][..], Vec::as_slice);
            let original = originals.iter().find_map(|original| {
                let first = lines_of.get(original).map_or(&[][..], Vec::as_slice);
                let is_repeated = is_same(&statements[*original as usize], &statements[statement as usize])
                    && first.len() == own.len()
                    && first.iter().zip(own).all(|(one, other)| has_same_facts(lines, *one, *other));
                is_repeated.then_some(first)
            });
            match original {
                Some(first) => {
                    repeated.statements.insert(statement);
                    repeated.original.extend(own.iter().copied().zip(first.iter().copied()));
                }
                None => originals.push(statement),
            }
        }
    }
    repeated
}

/// Returns true if a statement says more than its entries. Without period and balances, two sections with equal entries
/// may be two parts of one day.
fn is_distinctive(statement: &FileStatement) -> bool {
    let has_more = !statement.balances.is_empty() || statement.from.is_some() || statement.to.is_some();
    statement.kind != StatementKind::Delta && has_more
}

fn is_same(one: &FileStatement, other: &FileStatement) -> bool {
    FileStatement { index: other.index, ..one.clone() } == *other
}

fn has_same_facts(lines: &[Line], one: u32, other: u32) -> bool {
    let (one, other) = (&lines[one as usize], &lines[other as usize]);
    Line { statement: other.statement, ..one.clone() } == *other
}
