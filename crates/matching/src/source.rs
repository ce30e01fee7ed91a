//! Sources: what one file, or one run of statements, states about one account.
//!
//! The rules compare sources with each other, in the order of their days. A source is one file, or a run: statements whose
//! balances show that they share no line.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::{BalanceKind, StatementKind};

use super::line::{FileStatement, Line};
use super::period::{Order, Period};
use super::run::{self, Runs};

/// The statements of one account in one file, or in one run of statements.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) order: Order,
    /// Ranges of days from the first to the last transaction of each part. Only days strictly inside are complete.
    pub(crate) ranges: Vec<(Date, Date)>,
    /// Ranges of days that the source states to list completely.
    stated: Vec<(Date, Date)>,
    /// True if rows that the source lacks are removed.
    pub(crate) replace: bool,
    /// True if the source is a run of balanced statements.
    pub(crate) is_run: bool,
    /// True if the lines of the source agree with its own balances.
    pub(crate) is_proven: bool,
    pub(crate) statements: Vec<u32>,
}

impl Source {
    /// Returns true if the source lists a day completely.
    pub(crate) fn covers(&self, day: Date) -> bool {
        self.stated.iter().any(|(first, last)| (*first..=*last).contains(&day))
            || self.ranges.iter().any(|(first, last)| *first < day && day < *last)
    }
}

/// Returns the sources of one account in order, and the pairs of statements whose equal lines are ambiguous. `members` and
/// `own` are the statements and the lines of the account.
pub(crate) fn sources(
    statements: &[FileStatement],
    periods: &[Period],
    members: &[u32],
    all: &[Line],
    own: &[u32],
) -> (Vec<Source>, Vec<(u32, u32)>) {
    let mut sources = Vec::new();
    let mut in_runs = HashSet::new();
    let Runs { runs, ambiguous } = run::runs(statements, periods, members, all, own);
    let lines = LinesByDay { all, own, lines: OnceCell::new() };
    for run in runs {
        in_runs.extend(run.iter().copied());
        let days = run_days(statements, periods, &run, &lines);
        let closing = run.last().and_then(|last| statements[*last as usize].balance(BalanceKind::Closing));
        let mut source = source(statements, periods, run, true);
        source.is_proven = true;
        source.stated.extend(&days);
        source.stated.extend(days.last().zip(closing).map(|(range, closing)| (range.0, closing.day)));
        source.ranges = days;
        sources.push(source);
    }
    let mut rest: BTreeMap<[u8; 32], Vec<u32>> = BTreeMap::new();
    for statement in members.iter().filter(|statement| !in_runs.contains(*statement)) {
        rest.entry(statements[*statement as usize].digest).or_default().push(*statement);
    }
    sources.extend(rest.into_values().map(|rest| source(statements, periods, rest, false)));
    sources.sort_by_key(|file| file.order);
    (sources, ambiguous)
}

fn source(statements: &[FileStatement], periods: &[Period], members: Vec<u32>, is_run: bool) -> Source {
    let period = |statement: &u32| &periods[*statement as usize];
    let order = members.iter().map(|member| period(member).order).max().expect("a file has a statement");
    let complete = members.iter().filter(|member| {
        // A list of changes lacks every row that did not change.
        statements[**member as usize].kind != StatementKind::Delta
    });
    let ranges = complete.clone().filter_map(|member| period(member).days).collect();
    let stated = complete
        .filter_map(|member| {
            let statement = &statements[*member as usize];
            let last = statement.to?;
            Some((statement.from?, statement.as_of.map_or(last, |day| day.min(last))))
        })
        .collect();
    let replace = members.iter().any(|member| statements[*member as usize].replace);
    let is_balanced = |member: &u32| {
        let statement = &statements[*member as usize];
        statement.kind != StatementKind::Delta && is_balanced(statement, period(member))
    };
    let is_proven = members.iter().all(is_balanced);
    Source { order, ranges, stated, replace, is_run, is_proven, statements: members }
}

/// The booked lines of an account by day.
struct LinesByDay<'a> {
    all: &'a [Line],
    lines: OnceCell<Vec<u32>>,
    own: &'a [u32],
}

impl LinesByDay<'_> {
    /// Returns the lines between two days.
    fn between(&self, after: Date, before: Date) -> impl Iterator<Item = &Line> {
        let day = |line: &u32| self.all[*line as usize].day;
        let lines = self.lines.get_or_init(|| {
            let mut lines: Vec<u32> = self.own.to_vec();
            lines.retain(|line| !self.all[*line as usize].pending);
            lines.sort_by_key(day);
            lines
        });
        let start = lines.partition_point(|line| day(line) <= after);
        let inside = lines[start..].iter().take_while(move |line| day(line) < before);
        inside.map(|line| &self.all[*line as usize])
    }
}

/// Returns the ranges of days from the first to the last line of a run. The days between two of its statements are complete
/// too, except where a statement without effect on the balance is missing: another file has lines there that add up to
/// zero, or are part of a balanced statement.
fn run_days(
    statements: &[FileStatement],
    periods: &[Period],
    run: &[u32],
    lines: &LinesByDay<'_>,
) -> Vec<(Date, Date)> {
    let mut ranges: Vec<(Date, Date)> = Vec::new();
    let own: HashSet<u32> = run.iter().copied().collect();
    let mut last: Option<Date> = None;
    // A statement without lines may be between the two ranges.
    let mut is_interrupted = false;
    for &member in run {
        let (statement, period) = (&statements[member as usize], &periods[member as usize]);
        let closing = statement.balance(BalanceKind::Closing).map(|closing| closing.day);
        let (first, end) = period.days.unzip();
        let misses_statement = |last: Date| {
            let mut totals: HashMap<u32, i128> = HashMap::new();
            let between = lines.between(last, first.or(closing).unwrap_or(last));
            for line in between.filter(|line| !own.contains(&line.statement)) {
                *totals.entry(line.statement).or_default() += line.effect();
            }
            totals.iter().any(|(statement, total)| {
                let (other, period) = (&statements[*statement as usize], &periods[*statement as usize]);
                *total == 0 || (other.kind == StatementKind::Sequence && is_balanced(other, period))
            })
        };
        is_interrupted |= last.is_some_and(misses_statement);
        if let Some(days) = period.days {
            match ranges.last_mut().filter(|_| !is_interrupted) {
                Some(range) => *range = (range.0.min(days.0), range.1.max(days.1)),
                None => ranges.push(days),
            }
            is_interrupted = false;
        }
        last = last.max(closing).max(end);
    }
    ranges
}

/// Returns true if the balances of a statement agree with its lines.
pub(crate) fn is_balanced(statement: &FileStatement, period: &Period) -> bool {
    let balances = statement.balance(BalanceKind::Opening).zip(statement.balance(BalanceKind::Closing));
    balances.is_some_and(|(opening, closing)| {
        !period.is_mixed && i128::from(opening.cents) + period.total == i128::from(closing.cents)
    })
}

/// Parses the number of a statement: `12`, `00012/001`.
pub(crate) fn number(text: &str) -> Option<(u64, u64)> {
    let (number, part) = text.split_once('/').unwrap_or((text, "0"));
    Some((number.trim().parse().ok()?, part.trim().parse().ok()?))
}
