//! Sources: what one file, or one run of statements, states about one account.
//!
//! The rules compare sources with each other, in the order of their days. A source is one file, or a run: statements whose
//! balances show that they share no line. A statement is balanced if opening balance and lines give the closing balance.
//! It continues another statement if it begins with the closing balance of that statement. Balanced statements that
//! continue each other are disjoint, even if two of them cut a day in two, so their lines add up.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::{BalanceKind, StatementKind};

use super::line::FileStatement;
use super::period::{Order, Period};

/// The statements of one account in one file, or in one run of statements.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) order: Order,
    /// Ranges of days from the first to the last transaction of each part. Only days strictly inside are complete.
    pub(crate) ranges: Vec<(Date, Date)>,
    /// True if rows that the source lacks are removed.
    pub(crate) replace: bool,
    /// True if the source is a run of balanced statements.
    pub(crate) is_run: bool,
    pub(crate) statements: Vec<u32>,
}

/// Returns the sources of one account in order. `members` are the account's statements.
pub(crate) fn sources(statements: &[FileStatement], periods: &[Period], members: &[u32]) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut in_runs = HashSet::new();
    for run in runs(statements, periods, members) {
        in_runs.extend(run.iter().copied());
        sources.push(source(statements, periods, run, true));
    }
    let mut rest: BTreeMap<[u8; 32], Vec<u32>> = BTreeMap::new();
    for statement in members.iter().filter(|statement| !in_runs.contains(*statement)) {
        rest.entry(statements[*statement as usize].digest).or_default().push(*statement);
    }
    sources.extend(rest.into_values().map(|rest| source(statements, periods, rest, false)));
    sources.sort_by_key(|file| file.order);
    sources
}

fn source(statements: &[FileStatement], periods: &[Period], members: Vec<u32>, is_run: bool) -> Source {
    let period = |statement: &u32| &periods[*statement as usize];
    let order = members.iter().map(|member| period(member).order).max().expect("a file has a statement");
    let complete = members.iter().filter(|member| {
        // A list of changes lacks every row that did not change.
        statements[**member as usize].kind != StatementKind::Delta
    });
    let mut ranges: Vec<(Date, Date)> = complete.filter_map(|member| period(member).days).collect();
    if is_run {
        // The days between two statements of a run are complete too.
        let (first, last) =
            (ranges.iter().map(|range| range.0).min(), ranges.iter().map(|range| range.1).max());
        ranges = first.zip(last).into_iter().collect();
    }
    let replace = members.iter().any(|member| statements[*member as usize].replace);
    Source { order, ranges, replace, is_run, statements: members }
}

/// A balanced statement.
struct Balanced {
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
/// Repeated statements, statements that are not balanced and statements of other kinds are in no run.
pub(crate) fn runs(statements: &[FileStatement], periods: &[Period], members: &[u32]) -> Vec<Vec<u32>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut ends: HashMap<i64, Vec<usize>> = HashMap::new();
    for next in balanced(statements, periods, members) {
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

/// Returns the balanced statements in the order of their closing days, each once.
fn balanced(statements: &[FileStatement], periods: &[Period], members: &[u32]) -> Vec<Balanced> {
    let mut balanced: Vec<Balanced> = members
        .iter()
        .filter_map(|member| {
            let (statement, period) = (&statements[*member as usize], &periods[*member as usize]);
            let (opening, closing) =
                (statement.balance(BalanceKind::Opening)?, statement.balance(BalanceKind::Closing)?);
            (statement.kind == StatementKind::Sequence && is_balanced(statement, period)).then(|| Balanced {
                statement: *member,
                opening: opening.cents,
                closing: closing.cents,
                closing_day: closing.day,
                days: period.days,
                number: statement.number.as_deref().and_then(number),
                order: period.order,
            })
        })
        .collect();
    balanced.sort_by_key(|one| (one.closing_day, one.number, one.days, one.order));
    let mut seen = HashSet::new();
    balanced.retain(|one| {
        let index = one.statement as usize;
        let number = statements[index].number.clone();
        seen.insert((number, one.closing_day, one.opening, one.closing, periods[index].content))
    });
    balanced
}

/// Returns true if the balances of a statement agree with its lines.
pub(crate) fn is_balanced(statement: &FileStatement, period: &Period) -> bool {
    let balances = statement.balance(BalanceKind::Opening).zip(statement.balance(BalanceKind::Closing));
    balances.is_some_and(|(opening, closing)| {
        !period.is_mixed && i128::from(opening.cents) + period.total == i128::from(closing.cents)
    })
}

/// Returns true if the numbers show that `next` follows the run.
fn is_next(run: &Run, next: &Balanced) -> bool {
    match (run.number, next.number) {
        (Some((last, part)), Some((number, next_part))) => {
            number == last + 1 || (number == last && next_part == part + 1) || (number == 1 && last > 1)
        }
        _ => false,
    }
}

/// Returns true if `next`, which begins with the closing balance of the run, continues it.
fn continues(run: &Run, next: &Balanced) -> bool {
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
