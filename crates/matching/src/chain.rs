//! Runs of statements whose balances prove that they share no line.
//!
//! A statement is proven if opening balance and lines give the closing balance. It continues another statement if it
//! begins with the closing balance of that statement. Proven statements that continue each other are disjoint, even if
//! two of them cut a day in two, so their lines add up.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::{BalanceKind, StatementKind};

use super::extent::{Extent, Order};
use super::line::FileStatement;

/// A proven statement.
struct Proven {
    statement: u32,
    opening: i64,
    closing: i64,
    closing_day: Date,
    days: Option<(Date, Date)>,
    number: Option<(u64, u64)>,
    order: Order,
}

/// The end of a run.
struct Run {
    statements: Vec<u32>,
    last_day: Option<Date>,
    closing_day: Date,
    number: Option<(u64, u64)>,
}

/// Returns the runs of one account's statements, each in the order of the account. A statement alone is a run too.
/// Copies of a statement, unproven statements and statements of other kinds are in no run.
pub(crate) fn runs(statements: &[FileStatement], extents: &[Extent], members: &[u32]) -> Vec<Vec<u32>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut ends: HashMap<i64, Vec<usize>> = HashMap::new();
    for next in proven(statements, extents, members) {
        let candidates = ends.get(&next.opening).map_or(&[][..], Vec::as_slice);
        let continued = candidates.iter().copied().filter(|run| continues(&runs[*run], &next));
        match continued.max_by_key(|run| (is_next(&runs[*run], &next), runs[*run].closing_day, *run)) {
            Some(run) => {
                ends.entry(next.opening).or_default().retain(|other| *other != run);
                let end = &mut runs[run];
                end.statements.push(next.statement);
                end.last_day = end.last_day.max(next.days.map(|days| days.1));
                end.closing_day = next.closing_day;
                end.number = next.number.or(end.number);
                ends.entry(next.closing).or_default().push(run);
            }
            None => {
                ends.entry(next.closing).or_default().push(runs.len());
                runs.push(Run {
                    statements: vec![next.statement],
                    last_day: next.days.map(|days| days.1),
                    closing_day: next.closing_day,
                    number: next.number,
                });
            }
        }
    }
    runs.into_iter().map(|run| run.statements).collect()
}

/// Returns the proven statements in the order of their closing days, each once.
fn proven(statements: &[FileStatement], extents: &[Extent], members: &[u32]) -> Vec<Proven> {
    let mut proven: Vec<Proven> = members
        .iter()
        .filter_map(|member| {
            let (statement, extent) = (&statements[*member as usize], &extents[*member as usize]);
            let (opening, closing) =
                (statement.balance(BalanceKind::Opening)?, statement.balance(BalanceKind::Closing)?);
            (statement.kind == StatementKind::Chain && is_proven(statement, extent)).then(|| Proven {
                statement: *member,
                opening: opening.cents,
                closing: closing.cents,
                closing_day: closing.day,
                days: extent.days,
                number: statement.number.as_deref().and_then(number),
                order: extent.order,
            })
        })
        .collect();
    proven.sort_by_key(|one| (one.closing_day, one.number, one.days, one.order));
    let mut seen = HashSet::new();
    proven.retain(|one| {
        let index = one.statement as usize;
        let number = statements[index].number.clone();
        seen.insert((number, one.closing_day, one.opening, one.closing, extents[index].content))
    });
    proven
}

/// Returns true if the balances of a statement agree with its lines.
pub(crate) fn is_proven(statement: &FileStatement, extent: &Extent) -> bool {
    let balances = statement.balance(BalanceKind::Opening).zip(statement.balance(BalanceKind::Closing));
    balances.is_some_and(|(opening, closing)| {
        !extent.is_mixed && i128::from(opening.cents) + extent.total == i128::from(closing.cents)
    })
}

/// Returns true if the numbers show that `next` follows the run.
fn is_next(run: &Run, next: &Proven) -> bool {
    match (run.number, next.number) {
        (Some((last, part)), Some((number, next_part))) => {
            number == last + 1 || (number == last && next_part == part + 1) || (number == 1 && last > 1)
        }
        _ => false,
    }
}

/// Returns true if `next`, which begins with the closing balance of the run, continues it.
fn continues(run: &Run, next: &Proven) -> bool {
    if next.closing_day < run.closing_day {
        return false;
    }
    let Some((last, (first, _))) = run.last_day.zip(next.days) else { return true };
    let numbered = run.number.is_some() && next.number.is_some();
    is_next(run, next) || last < first || (last == first && !numbered)
}

/// Parses the number of a statement: `12`, `00012/001`.
pub(crate) fn number(text: &str) -> Option<(u64, u64)> {
    let (number, part) = text.split_once('/').unwrap_or((text, "0"));
    Some((number.trim().parse().ok()?, part.trim().parse().ok()?))
}
